"""A hub that runs jobs."""

from support.job_hub import hub as hub
from support.job_hub import session as session
