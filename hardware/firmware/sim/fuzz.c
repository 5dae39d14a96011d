/* Feeds the portable firmware with what a host may send: whole frames of all kinds, cut and changed ones, and noise. Meant
 * for a build with AddressSanitizer and UndefinedBehaviorSanitizer. argv: the seed and the number of frames.
 *
 * After each burst of them the firmware must still answer a ping, and show the picture that it is sent.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../board.h"
#include "../link.h"
#include "../matrix.h"
#include "../port.h"
#include "../proto.h"

#define BURST 200
#define LIGHTS_OF_BOARD 125
#define DISPLAY_ADDRESS 0x3C

const struct board board = {.layout = MATRIX, .lights = MAX_LIGHTS, .has_keys = true};

static uint64_t state;
static uint8_t arrived[8192];
static size_t arrived_end, arrived_at;
static uint32_t now_ms;
static struct decoder sent;
static uint8_t last_kind, last_payload[MAX_PAYLOAD];
static size_t last_count;
static uint8_t shown[MAX_DISPLAY_PAYLOAD], shown_count; /* what the display was sent last */
static bool has_display;
static uint16_t lit; /* how many lights the last picture had */

static void fail(const char *reason)
{
    fprintf(stderr, "%s\n", reason);
    exit(1);
}

static uint32_t random_below(uint32_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 32) % limit;
}

/* The chip */

void port_send(const uint8_t *bytes, size_t count)
{
    for (size_t at = 0; at < count; at++) {
        size_t length;
        enum decoded result = proto_decode(&sent, bytes[at], &length);
        if (result == DECODED_CORRUPT)
            fail("expected whole frames from the firmware");
        if (result != DECODED_FRAME)
            continue;
        last_kind = sent.bytes[0];
        last_count = length;
        memcpy(last_payload, sent.bytes + 2, length);
    }
}

bool port_receive(uint8_t *byte)
{
    if (arrived_at == arrived_end)
        return false;
    *byte = arrived[arrived_at++];
    return true;
}

uint32_t port_now_ms(void) { return now_ms; }

/* The board: any rows, sometimes without current */

static struct column read_any(uint8_t column)
{
    if (column == NO_COLUMN)
        return (struct column){random_below(20) ? IDLE_ROWS : random_below(65536), 0};
    return (struct column){random_below(65536), column < 8 && random_below(50) ? 40 : random_below(256)};
}

enum scan_result board_scan(struct chain *chain) { return scan_matrix(chain, read_any); }
uint16_t board_keys(void) { return random_below(65536); }
uint8_t board_supply(void) { return 5; }

enum light_chain board_show(const struct picture *picture)
{
    lit = picture->lights;
    unsigned sum = 0;
    for (uint16_t light = 0; light < picture->lights; light++)
        sum += picture_tint(picture, light)[0] + picture_tint(picture, light)[2];
    return sum % 2 ? LIGHTS_INTACT : LIGHTS_BROKEN;
}

uint8_t board_currents(uint8_t strips, uint8_t *ma)
{
    uint8_t columns = strips / STRIPS_PER_COLUMN;
    for (uint8_t column = 0; column < columns; column++)
        ma[column] = read_any(column).ma;
    return columns;
}

bool board_write_display(uint8_t address, const uint8_t *bytes, uint8_t count)
{
    if (!has_display || address != DISPLAY_ADDRESS)
        return false;
    if (count)
        memcpy(shown, bytes, count);
    shown_count = count;
    return true;
}

/* The host */

static void arrive(const uint8_t *bytes, size_t count)
{
    memcpy(arrived, bytes, count);
    arrived_at = 0;
    arrived_end = count;
    link_receive();
    now_ms += 1 + random_below(20);
    link_scan(now_ms);
}

static size_t random_payload(uint8_t kind, uint8_t *payload)
{
    size_t count = random_below(MAX_PAYLOAD + 1);
    for (size_t at = 0; at < count; at++)
        payload[at] = random_below(4) ? random_below(256) : 0;
    if (kind == LIGHTS && count > 4 && random_below(4)) { /* mostly a head that makes sense */
        payload[0] &= LAST_OF_PICTURE | MAX_BRIGHTNESS;
        payload[1] %= TINTS + 2;
        payload[2] = random_below(2);
        payload[3] = random_below(4) ? 0 : payload[3];
    }
    if (kind == DISPLAY && count > MAX_DISPLAY_PAYLOAD && random_below(4)) {
        payload[0] = DISPLAY_ADDRESS;
        count = 1 + random_below(MAX_DISPLAY_PAYLOAD + 1);
    }
    return count;
}

static void send_anything(void)
{
    static const uint8_t kinds[] = {ASK_HELLO, PING, CONFIGURE, LIGHTS, LIGHTS, LIGHTS, DISPLAY, DISPLAY, DIAGNOSE, 0, 'z'};
    uint8_t payload[MAX_PAYLOAD], frame[MAX_FRAME + 300];
    uint8_t kind = kinds[random_below(sizeof kinds)];
    size_t length = proto_encode(kind, random_below(256), payload, random_payload(kind, payload), frame);
    uint32_t harm = random_below(4);
    if (harm == 1)
        frame[random_below(length)] = random_below(256);
    if (harm == 2)
        length = random_below(length);
    if (harm == 3)
        while (length < sizeof frame)
            frame[length++] = random_below(256);
    arrive(frame, length);
}

static void send(uint8_t kind, const uint8_t *payload, size_t count)
{
    uint8_t frame[MAX_FRAME];
    memcpy(arrived, "\0", 1); /* ends what was cut short before */
    arrived_at = 0;
    arrived_end = 1;
    link_receive();
    size_t length = proto_encode(kind, 7, payload, count, frame);
    memcpy(arrived, frame, length);
    arrived_at = 0;
    arrived_end = length;
    link_receive();
}

static void check_alive(void)
{
    send(PING, (const uint8_t *)"alive", 5);
    if (last_kind != PONG || last_count != 5 || memcmp(last_payload, "alive", 5))
        fail("expected a pong");
    uint8_t picture[4 + 3 + (LIGHTS_OF_BOARD + 1) / 2] = {LAST_OF_PICTURE | 5, 1, 0, 0, 9, 9, 9};
    send(LIGHTS, picture, sizeof picture);
    if (last_kind != LIGHTS_RECEIVED || last_payload[0] != 7 || lit != LIGHTS_OF_BOARD + 1)
        fail("expected the picture to be shown");
    uint8_t bytes[MAX_DISPLAY_PAYLOAD] = {DISPLAY_ADDRESS, 0x40, 1, 2, 0, 3};
    send(DISPLAY, bytes, sizeof bytes);
    if (last_kind != DISPLAY_ANSWERED || last_payload[0] != 7 || last_payload[1] != has_display)
        fail("expected an answer about the display");
    if (has_display && (shown_count != sizeof bytes - 1 || memcmp(shown, bytes + 1, shown_count)))
        fail("expected the bytes at the display");
    has_display = !has_display;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: fuzz SEED FRAMES\n");
        return 1;
    }
    state = strtoull(argv[1], NULL, 10) * 0x9E3779B97F4A7C15u + 1;
    long frames = strtol(argv[2], NULL, 10);
    link_start();
    for (long at = 1; at <= frames; at++) {
        send_anything();
        if (at % BURST == 0)
            check_alive();
    }
    return 0;
}
