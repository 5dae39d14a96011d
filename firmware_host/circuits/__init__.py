"""The circuit boards of a plan: parts, nets and places. KiCad files are made of them by `hardware/make_pcb.py`."""
