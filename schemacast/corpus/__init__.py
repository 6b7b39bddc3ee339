"""The texts of a workspace as something to be asked: passages, their full-text index, and evidence of the graph."""
