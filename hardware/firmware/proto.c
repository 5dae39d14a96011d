#include "proto.h"

uint16_t proto_crc(const uint8_t *bytes, size_t count)
{
    uint16_t crc = 0xFFFF;
    while (count--) { /* eight bits at once: the polynomial is 0x1021 */
        uint8_t high = crc >> 8 ^ *bytes++;
        high ^= high >> 4;
        crc = crc << 8 ^ (uint16_t)high << 12 ^ (uint16_t)high << 5 ^ high;
    }
    return crc;
}

/* COBS encoding in place, of a body that starts at frame[1]: each zero becomes the distance to the next one. */
static void stuff(uint8_t *frame, size_t body)
{
    size_t before = 0;
    for (size_t at = 1; at <= body; at++) {
        if (frame[at] == 0) {
            frame[before] = at - before;
            before = at;
        }
    }
    frame[before] = body + 1 - before;
    frame[body + 1] = 0;
}

/* COBS decoding in place: the body moves to the front. Returns its length, 0 if the distances do not add up. */
static size_t unstuff(uint8_t *frame, size_t length)
{
    size_t at = 0;
    while (at < length) {
        size_t next = at + frame[at];
        if (at)
            frame[at - 1] = 0;
        for (size_t here = at + 1; here < next && here < length; here++)
            frame[here - 1] = frame[here];
        if (next > length)
            return 0;
        at = next;
    }
    return length ? length - 1 : 0;
}

size_t proto_encode(uint8_t kind, uint8_t sequence, const uint8_t *payload, size_t count, uint8_t *out)
{
    if (count > MAX_PAYLOAD)
        return 0;
    uint8_t *body = out + 1;
    body[0] = kind;
    body[1] = sequence;
    for (size_t at = 0; at < count; at++)
        body[2 + at] = payload[at];
    uint16_t crc = proto_crc(body, count + 2);
    body[count + 2] = crc >> 8;
    body[count + 3] = crc & 0xFF;
    stuff(out, count + 4);
    return count + 6;
}

static enum decoded finish(struct decoder *decoder, size_t *count)
{
    size_t body = unstuff(decoder->bytes, decoder->received);
    if (body < 4 || proto_crc(decoder->bytes, body) != 0) /* the CRC over a body and its CRC is 0 */
        return DECODED_CORRUPT;
    *count = body - 4;
    return DECODED_FRAME;
}

enum decoded proto_decode(struct decoder *decoder, uint8_t byte, size_t *count)
{
    if (byte != 0) {
        if (decoder->received == MAX_FRAME - 1)
            decoder->is_overlong = true;
        else
            decoder->bytes[decoder->received++] = byte;
        return DECODED_NOTHING;
    }
    enum decoded result = DECODED_NOTHING; /* repeated zeros are no frame */
    if (decoder->is_overlong)
        result = DECODED_CORRUPT;
    else if (decoder->received)
        result = finish(decoder, count);
    decoder->received = 0;
    decoder->is_overlong = false;
    return result;
}
