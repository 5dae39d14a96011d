/* hole-scan/1, the language of scanner and host: frames in and out, on any machine. The table is in README.md. */
#ifndef PROTO_H
#define PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef PROTO_VERSION
#define PROTO_VERSION 1 /* a host that knows another one refuses us */
#endif
#define FIRMWARE_MAJOR 1
#define FIRMWARE_MINOR 0

/* Kinds of frames: upper case from the scanner, lower case from the host. */
enum kind {
    HELLO = 'H', SNAPSHOT = 'S', CHANGE = 'C', ERROR = 'E', PONG = 'P', CONFIGURED = 'K',
    ASK_HELLO = 'h', PING = 'p', CONFIGURE = 'k',
};

enum error_code { CHAIN_BROKEN = 1, FRAME_SPOILED = 2, ORDER_UNKNOWN = 3 };

/* A body (kind, sequence, payload, CRC) stays below 254 bytes, so that COBS never splits a run. */
#define MOST_PAYLOAD 192
#define MOST_BODY (MOST_PAYLOAD + 4)
#define MOST_FRAME (MOST_BODY + 2)

/* CRC-16/CCITT-FALSE: 0x29B1 of "123456789". */
uint16_t proto_crc(const uint8_t *bytes, size_t count);

/* One frame with its closing zero into `out`, which has room for MOST_FRAME; returns its length. */
size_t proto_encode(uint8_t kind, uint8_t sequence, const uint8_t *payload, size_t count, uint8_t *out);

/* Takes bytes as they come and keeps the frame they end in. All zero to begin with. */
struct decoder {
    uint8_t bytes[MOST_FRAME];
    uint8_t taken;
    bool is_lost; /* too many bytes without a zero: wait for the next one */
};

enum taken { TAKEN_PART, TAKEN_FRAME, TAKEN_SPOILED };

/* After TAKEN_FRAME `bytes` is kind, sequence and payload, and `*count` the length of the payload. */
enum taken proto_take(struct decoder *decoder, uint8_t byte, size_t *count);

#endif
