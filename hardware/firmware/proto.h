/* hole-scan/1, the protocol between scanner and host: encodes and decodes frames. Portable; the kinds are in README.md. */
#ifndef PROTO_H
#define PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef PROTO_VERSION
#define PROTO_VERSION 1 /* a host of another version refuses this scanner */
#endif
#define FIRMWARE_MAJOR 1
#define FIRMWARE_MINOR 2

/* Kinds of frames: upper case from the scanner, lower case from the host. */
enum kind {
    HELLO = 'H', SNAPSHOT = 'S', CHANGE = 'C', ERROR = 'E', PONG = 'P', CONFIGURED = 'K',
    LIGHTS_RECEIVED = 'L', DISPLAY_ANSWERED = 'O', KEYS = 'B', DIAGNOSIS = 'D',
    ASK_HELLO = 'h', PING = 'p', CONFIGURE = 'k', LIGHTS = 'l', DISPLAY = 'o', DIAGNOSE = 'd',
};

enum error_code {
    CHAIN_BROKEN = 1, CORRUPT_FRAME = 2, UNKNOWN_COMMAND = 3, LIGHTS_REFUSED = 4, ROW_SHORTED = 5, COLUMN_CURRENT = 6,
};

/* Why a frame of lights changes nothing. */
enum refusal { ACCEPTED = 0, NO_LIGHTS = 1, WRONG_LENGTH = 2, OUT_OF_RANGE = 3, OUT_OF_ORDER = 4 };

/* How the sensors are wired, and whether the data that the lights are sent comes back from the last one. */
enum layout { STRIPS = 0, MATRIX = 1 };
enum light_chain { LIGHTS_BROKEN = 0, LIGHTS_INTACT = 1, LIGHTS_UNKNOWN = 2 };

/* The address of a display, and the bytes for it: few enough that a scan waits for 2 ms only. */
#define MAX_DISPLAY_PAYLOAD 34

/* A body (kind, sequence, payload, CRC) stays below 254 bytes, so that COBS never splits a run. */
#define MAX_PAYLOAD 192
#define MAX_BODY (MAX_PAYLOAD + 4)
#define MAX_FRAME (MAX_BODY + 2)

/* CRC-16/CCITT-FALSE; its check value for "123456789" is 0x29B1. */
uint16_t proto_crc(const uint8_t *bytes, size_t count);

/* Writes one frame with its closing zero to `out`, which holds MAX_FRAME bytes. Returns its length, 0 if `count` is over
 * MAX_PAYLOAD. */
size_t proto_encode(uint8_t kind, uint8_t sequence, const uint8_t *payload, size_t count, uint8_t *out);

/* The frame that is being received. Initialise to all zeros. */
struct decoder {
    uint8_t bytes[MAX_FRAME];
    uint8_t received;
    bool is_overlong; /* too many bytes without a zero: drop everything up to the next one */
};

enum decoded { DECODED_NOTHING, DECODED_FRAME, DECODED_CORRUPT };

/* Processes one received byte. After DECODED_FRAME, `bytes` is kind, sequence and payload, and `*count` is the length of
 * the payload. */
enum decoded proto_decode(struct decoder *decoder, uint8_t byte, size_t *count);

#endif
