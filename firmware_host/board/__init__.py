"""The wood: holes, strips, lights, and how pegs that move are read. Pure: time is an argument."""
