"""Sends the result in a file as the board table-1, again each second until its receipt comes. Ends with 0 then."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import monotonic, sleep

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

BOARD = "table-1"
LIMIT_S = 90.0


def main(file: Path) -> int:
    """As the module says; 1 without a receipt."""
    payload = file.read_bytes()
    receipts = list[bool]()

    def on_message(client: Client, _: object, message: MQTTMessage) -> None:
        receipt = json.loads(message.payload)
        if receipt["id"] == json.loads(payload)["id"]:
            receipts.append(receipt["is_accepted"])

    client = Client(CallbackAPIVersion.VERSION2, BOARD, clean_session=False, protocol=MQTTProtocolVersion.MQTTv311)
    client.username_pw_set(BOARD, Path("/root/stick/mqtt-password").read_text().strip())
    client.tls_set("/root/stick/league-ca.pem")
    client.on_message = on_message
    client.on_connect = lambda client, *_: client.subscribe(f"cribboard/1/to/{BOARD}/receipt")
    ends_s = monotonic() + LIMIT_S
    client.connect_async("127.0.0.1", 8883)
    client.loop_start()
    while not receipts and monotonic() < ends_s:
        client.publish(f"cribboard/1/from/{BOARD}/result", payload, qos=1)
        sleep(1.0)
    client.loop_stop()
    return 0 if receipts and all(receipts) else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
