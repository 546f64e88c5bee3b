"""Tokens of jobs: with its own, a job learns what the hub knows about it, and stops itself, while it runs.

They are signed and not stored. Only routes of the API accept them, and only those that name the job by its id.
"""

from lightboard.hub.api.expiring_cache import Cached, ExpiringCache
from lightboard.hub.api.identity import Identity, Secret
from lightboard.hub.api.signed_tokens import TokenSigner, digest_of
from lightboard.hub.db import accounts, jobs
from lightboard.hub.db.changes import Commit, touches_access
from lightboard.hub.db.engine import Database
from lightboard.hub.resources.jobs import ON_RUNNER, Job
from lightboard.hub.resources.roles import Scope

BEGINNING = "lbjob_"
PURPOSE = "job"
RIGHTS = frozenset({"jobs.get", "jobs.logs", "jobs.source_code", "jobs.stop"})
"""What a job may do with itself."""
NO_END = 32_503_680_000.0
"""In seconds since the epoch; the end of a token is that of its attempt."""
CACHE_SECS = 1.0
MAX_CACHED = 10_000


class JobTokens:
    """Issues and checks the tokens of jobs. `url` is where jobs reach the hub, "" if they do not."""

    def __init__(self, database: Database, token_signer: TokenSigner, url: str) -> None:
        self._database = database
        self._token_signer = token_signer
        self._url = url
        self._cache = ExpiringCache[str, Identity | None](CACHE_SECS, MAX_CACHED)

    def variables(self, job: Job) -> dict[str, str]:
        """The variables by which the current attempt of a job finds the hub and its token."""
        if not self._url:
            return {}
        token = self._token_signer.issue(PURPOSE, {"job": job.id, "attempt": job.attempt}, NO_END)
        return {"LIGHTBOARD_JOB_URL": self._url, "LIGHTBOARD_JOB_TOKEN": BEGINNING + token}

    def cached(self, secret: Secret) -> Cached[Identity | None] | None:
        """The cached result of `find`, None if there is none."""
        return self._cache.get(secret.key)

    def find(self, secret: Secret) -> Identity | None:
        """The identity of a token, which acts as the owner of its job; None if it is forged, or the attempt is over.

        Reads the database, so call it in a thread.
        """
        return self._cache.load(secret.key, lambda: self._read(secret.text))

    def on_commit(self, commit: Commit) -> None:
        """Drops cached results if a job has changed, or somebody's access."""
        if touches_access(commit) or any(change.kind == jobs.KIND for change in commit.changed):
            self._cache.clear()

    def clear_cache(self) -> None:
        """Drops all cached results."""
        self._cache.clear()

    def _read(self, text: str) -> Identity | None:
        holds = self._token_signer.read(PURPOSE, text.removeprefix(BEGINNING))
        if holds is None:
            return None
        with self._database.read() as session:
            job = jobs.get_unchecked(session, holds["job"])
            if job is None or job.status not in ON_RUNNER or job.attempt != holds["attempt"]:
                return None
            owner = accounts.get_unchecked(session, job.owner)
            if owner is None or owner.disabled:
                return None
            scopes = frozenset({Scope.READ, Scope.WRITE})
            principal = accounts.principal_of(session, owner, scopes, job.project, f"job {job.name}")
        return Identity(principal=principal, digest=digest_of(text), job=job.id)


def is_job_token(secret: Secret) -> bool:
    """Whether it has the form of a job's token."""
    return secret.bearer and secret.text.startswith(BEGINNING)
