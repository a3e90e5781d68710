"""Policies, as arrays that kernels read: tables, networks and their features, mixtures."""
