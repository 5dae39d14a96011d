"""Decodes JSON by the types of Structs, with the limits of their fields, and words what is wrong. Pure."""
