"""The MQTT messages of boards, clubs and leagues: topics and payloads, each defined once for who writes and who reads.

The schemas in `telemetry/schemas` are made from these types.
"""
