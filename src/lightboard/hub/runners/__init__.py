"""Runners: where the workloads of the hub run, which are jobs and notebooks."""
