"""Jobs: what keeps a store equal to what a workspace's episodes say, and can be killed at any moment.

The graph is a function of the schema, the record graphs kept, what the store knew before, and decisions. So no
job ever patches a graph: each changes what the workspace keeps, resolves the whole again, and writes to the
store the difference from what it last wrote there. Ingesting, re-ingesting, retracting, a new schema version,
a restored database and a second store are all the same two steps.

Every step is committed in the workspace before anything leaves for the store, and marked after. Replies are
kept under their request key the moment they arrive. Killed anywhere, a job leaves sources that wait, replies
that are paid for, and ids that are in doubt; the next one goes on from there and asks for nothing twice.
"""
