"""The workspace: one SQLite file that keeps, alongside the graph, all that a job must not lose."""
