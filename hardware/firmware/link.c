#include "link.h"

#include <stdbool.h>

#include "board.h"
#include "matrix.h"
#include "port.h"
#include "proto.h"

#define SNAPSHOT_MS 100
#define MIN_SNAPSHOT_MS 20
#define MAX_DEBOUNCE 20
#define FIRST_DISPLAY 0x3C
#define LAST_DISPLAY 0x3D

static struct chain chain;
static struct picture picture;
static struct decoder decoder;
static uint8_t sequence, snapshot_ms = SNAPSHOT_MS, lights_seen = LIGHTS_UNKNOWN;
static uint32_t pictured_ms; /* when the last picture was complete */
static bool is_lit;
static uint16_t keys; /* debounced */

/* Sending frames */

static void send(uint8_t kind, const uint8_t *payload, size_t count)
{
    static uint8_t frame[MAX_FRAME];
    port_send(frame, proto_encode(kind, sequence++, payload, count, frame));
}

static uint8_t *put_ms(uint8_t *to, uint32_t ms)
{
    for (int8_t shift = 24; shift >= 0; shift -= 8)
        *to++ = ms >> shift;
    return to;
}

/* The address at which a display answers; 0: there is none. */
static uint8_t find_display(void)
{
    for (uint8_t address = FIRST_DISPLAY; address <= LAST_DISPLAY; address++)
        if (board_write_display(address, NULL, 0))
            return address;
    return 0;
}

static void send_hello(void)
{
    uint8_t hello[13] = {PROTO_VERSION, FIRMWARE_MAJOR, FIRMWARE_MINOR, chain.strips};
    uint8_t *to = put_ms(hello + 4, port_now_ms());
    *to++ = board.layout;
    *to++ = board.lights >> 8;
    *to++ = board.lights & 0xFF;
    *to++ = board_supply();
    *to = find_display();
    send(HELLO, hello, sizeof hello);
}

static void send_error(uint8_t code, uint8_t first, uint8_t second)
{
    uint8_t error[] = {code, first, second};
    send(ERROR, error, sizeof error);
}

static void send_changes(void)
{
    uint8_t payload[4 + sizeof chain.change], *to = put_ms(payload, port_now_ms());
    if (chain.changes > MAX_CHANGES) /* the snapshot that follows has them all */
        return;
    for (uint8_t at = 0; at < chain.changes; at++) {
        *to++ = chain.change[at].strip;
        *to++ = chain.change[at].before;
        *to++ = chain.change[at].after;
    }
    send(CHANGE, payload, to - payload);
}

static void send_keys(void)
{
    uint8_t payload[] = {keys >> 8, keys & 0xFF};
    send(KEYS, payload, sizeof payload);
}

static void send_state(bool is_broken)
{
    if (is_broken)
        send_error(chain.fault.code, chain.fault.place, chain.fault.value);
    else
        send(SNAPSHOT, chain.state, chain.strips);
    if (board.has_keys)
        send_keys();
}

static void send_diagnosis(void)
{
    uint8_t payload[2 + MAX_COLUMNS] = {board_supply(), lights_seen};
    send(DIAGNOSIS, payload, 2 + board_currents(chain.strips, payload + 2));
}

/* Receiving frames */

static bool configure(const uint8_t *payload, size_t count)
{
    if (count < 2 || payload[0] < 1 || payload[0] > MAX_DEBOUNCE || payload[1] < MIN_SNAPSHOT_MS)
        return false;
    chain.debounce = payload[0];
    snapshot_ms = payload[1];
    return true;
}

/* Shows a picture before it acknowledges the last frame of it. */
static void light(uint8_t number, const uint8_t *payload, size_t count)
{
    enum refusal refusal = picture_add(&picture, payload, count);
    if (refusal) {
        send_error(LIGHTS_REFUSED, refusal, number);
        return;
    }
    if (picture.is_complete) {
        lights_seen = board_show(&picture);
        pictured_ms = port_now_ms();
        is_lit = true;
    }
    uint8_t received[] = {number, lights_seen};
    send(LIGHTS_RECEIVED, received, sizeof received);
}

static void write_display(uint8_t number, const uint8_t *payload, size_t count)
{
    uint8_t answer[] = {number, board_write_display(payload[0], payload + 1, count - 1)};
    send(DISPLAY_ANSWERED, answer, sizeof answer);
}

static void execute(const uint8_t *frame, size_t count)
{
    const uint8_t *payload = frame + 2;
    uint8_t kind = frame[0], number = frame[1];
    if (kind == ASK_HELLO)
        send_hello();
    else if (kind == PING)
        send(PONG, payload, count);
    else if (kind == LIGHTS)
        light(number, payload, count);
    else if (kind == DISPLAY && count && count <= MAX_DISPLAY_PAYLOAD)
        write_display(number, payload, count);
    else if (kind == DIAGNOSE)
        send_diagnosis();
    else if (kind == CONFIGURE && configure(payload, count))
        send(CONFIGURED, payload, 2);
    else
        send_error(UNKNOWN_COMMAND, kind, number);
}

void link_receive(void)
{
    for (uint8_t byte; port_receive(&byte);) {
        size_t count;
        enum decoded result = proto_decode(&decoder, byte, &count);
        if (result == DECODED_FRAME)
            execute(decoder.bytes, count);
        else if (result == DECODED_CORRUPT)
            send_error(CORRUPT_FRAME, 0, 0);
    }
}

/* Scanning */

void link_start(void)
{
    chain.debounce = DEBOUNCE_SCANS;
    picture_clear(&picture);
    lights_seen = board_show(&picture);
    board_scan(&chain);
    send_hello();
}

static void darken(uint32_t now_ms)
{
    if (!is_lit || now_ms - pictured_ms < DARK_MS)
        return;
    is_lit = false;
    picture_clear(&picture);
    board_show(&picture);
}

/* Accepts keys once `debounce` readings in a row agree on them. */
static void scan_keys(void)
{
    static uint16_t last;
    static uint8_t equal;
    uint16_t now = board_keys();
    equal = now == last ? equal : 0;
    last = now;
    if (now == keys || ++equal < chain.debounce)
        return;
    equal = 0;
    keys = now;
    send_keys();
}

void link_scan(uint32_t now_ms)
{
    static uint32_t state_sent_ms;
    static bool was_broken;
    enum scan_result result = board_scan(&chain);
    bool is_broken = result == SCAN_BROKEN, is_new = result == SCAN_CHANGED || result == SCAN_RECOUNTED;
    if (result == SCAN_RECOUNTED)
        send_hello();
    if (result == SCAN_CHANGED)
        send_changes();
    if (is_new || is_broken != was_broken || now_ms - state_sent_ms >= snapshot_ms) {
        state_sent_ms = now_ms;
        send_state(is_broken);
    }
    was_broken = is_broken;
    if (board.has_keys)
        scan_keys();
    darken(now_ms);
}
