"""Which records are one entity: keys, owners, alternates, and what stays staged."""
