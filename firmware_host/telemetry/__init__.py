"""MQTT: publishes the state of the board, and sends finished games to a club or league."""
