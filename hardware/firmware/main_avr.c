/* The scanner on an ATmega328P at 16 MHz, such as an Arduino Nano. Pins and frames: README.md. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/atomic.h>
#include <util/delay.h>

#include "proto.h"
#include "scan.h"

#define BAUD 115200
#define BAUD_TOL 3 /* 16 MHz come to 117647, which every USB bridge takes */
#include <util/setbaud.h>

#define LATCH PB1  /* D9, to /PL */
#define SELECT PB2 /* D10, must stay an output or the SPI unit becomes a slave */
#define MOSI PB3   /* D11, not connected */
#define CLOCK PB5  /* D13; D12 is MISO */

#define SCAN_MS 5
#define SNAPSHOT_MS 100
#define LEAST_SNAPSHOT_MS 20
#define MOST_DEBOUNCE 20
#define RING 64 /* a power of two */

static struct chain chain;
static struct decoder heard;
static uint8_t sequence, snapshot_ms = SNAPSHOT_MS;

/* Time, in milliseconds since the reset. */

static volatile uint32_t ticks;

ISR(TIMER0_COMPA_vect) { ticks++; }

static uint32_t now_ms(void)
{
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_FORCEON) { now = ticks; }
    return now;
}

/* The cable: what comes in waits in a ring, what goes out is waited for. */

static volatile uint8_t ring[RING], ring_in, ring_out;

ISR(USART_RX_vect)
{
    uint8_t byte = UDR0, next = (ring_in + 1) % RING;
    if (next != ring_out) { /* full: the frame's CRC will tell */
        ring[ring_in] = byte;
        ring_in = next;
    }
}

static void send(uint8_t kind, const uint8_t *payload, size_t count)
{
    static uint8_t frame[MOST_FRAME];
    size_t length = proto_encode(kind, sequence++, payload, count, frame);
    for (size_t at = 0; at < length; at++) {
        loop_until_bit_is_set(UCSR0A, UDRE0);
        UDR0 = frame[at];
    }
}

/* The chain: /PL low loads all registers, then SPI mode 0 at 1 MHz shifts them in. */

static void read_strips(uint8_t *bytes, uint8_t count)
{
    PORTB &= ~_BV(LATCH);
    _delay_us(5);
    PORTB |= _BV(LATCH);
    while (count--) {
        SPDR = 0;
        loop_until_bit_is_set(SPSR, SPIF);
        *bytes++ = SPDR;
    }
}

/* What is said. */

static uint8_t *put_ms(uint8_t *to, uint32_t ms)
{
    for (int8_t shift = 24; shift >= 0; shift -= 8)
        *to++ = ms >> shift;
    return to;
}

static void say_hello(void)
{
    uint8_t hello[8] = {PROTO_VERSION, FIRMWARE_MAJOR, FIRMWARE_MINOR, chain.strips};
    put_ms(hello + 4, now_ms());
    send(HELLO, hello, sizeof hello);
}

static void say_error(uint8_t code, uint8_t first, uint8_t second)
{
    uint8_t error[] = {code, first, second};
    send(ERROR, error, sizeof error);
}

static void say_changes(void)
{
    uint8_t payload[4 + sizeof chain.change], *to = put_ms(payload, now_ms());
    if (chain.changes > MOST_CHANGES) /* the snapshot that follows says it all */
        return;
    for (uint8_t at = 0; at < chain.changes; at++) {
        *to++ = chain.change[at].strip;
        *to++ = chain.change[at].before;
        *to++ = chain.change[at].now;
    }
    send(CHANGE, payload, to - payload);
}

static void say_state(bool is_broken)
{
    if (is_broken)
        say_error(CHAIN_BROKEN, chain.broken_at, chain.broken_by);
    else
        send(SNAPSHOT, chain.state, chain.strips);
}

/* What is heard. */

static bool configure(const uint8_t *payload, size_t count)
{
    if (count < 2 || payload[0] < 1 || payload[0] > MOST_DEBOUNCE || payload[1] < LEAST_SNAPSHOT_MS)
        return false;
    chain.debounce = payload[0];
    snapshot_ms = payload[1];
    return true;
}

static void obey(const uint8_t *frame, size_t count)
{
    const uint8_t *payload = frame + 2;
    uint8_t kind = frame[0];
    if (kind == ASK_HELLO)
        say_hello();
    else if (kind == PING)
        send(PONG, payload, count);
    else if (kind == CONFIGURE && configure(payload, count))
        send(CONFIGURED, payload, 2);
    else
        say_error(ORDER_UNKNOWN, kind, frame[1]);
}

static void listen(void)
{
    while (ring_out != ring_in) {
        size_t count;
        enum taken taken = proto_take(&heard, ring[ring_out], &count);
        ring_out = (ring_out + 1) % RING;
        if (taken == TAKEN_FRAME)
            obey(heard.bytes, count);
        else if (taken == TAKEN_SPOILED)
            say_error(FRAME_SPOILED, 0, 0);
    }
}

/* One scan, and at most one word about it; the state also when it is time. */
static void look(uint32_t now)
{
    static uint32_t said_ms;
    static bool was_broken;
    enum look look = scan_look(&chain, read_strips);
    bool is_broken = look == LOOK_BROKEN, is_new = look == LOOK_CHANGED || look == LOOK_RECOUNTED;
    if (look == LOOK_RECOUNTED)
        say_hello();
    if (look == LOOK_CHANGED)
        say_changes();
    if (is_new || is_broken != was_broken || now - said_ms >= snapshot_ms) {
        said_ms = now;
        say_state(is_broken);
    }
    was_broken = is_broken;
}

static void set_up(void)
{
    DDRB = _BV(LATCH) | _BV(SELECT) | _BV(MOSI) | _BV(CLOCK);
    PORTB = _BV(LATCH) | _BV(SELECT);
    SPCR = _BV(SPE) | _BV(MSTR) | _BV(SPR0);
    UBRR0 = UBRR_VALUE;
    UCSR0A = USE_2X ? _BV(U2X0) : 0;
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
    TCCR0A = _BV(WGM01);
    TCCR0B = _BV(CS01) | _BV(CS00);
    OCR0A = F_CPU / 64 / 1000 - 1;
    TIMSK0 = _BV(OCIE0A);
    set_sleep_mode(SLEEP_MODE_IDLE);
}

int main(void)
{
    MCUSR = 0; /* after its own reset the watchdog stays on until this is done */
    wdt_enable(WDTO_250MS);
    set_up();
    sei();
    chain.debounce = DEBOUNCE_SCANS;
    scan_look(&chain, read_strips);
    say_hello();
    for (uint32_t scanned_ms = now_ms();;) {
        wdt_reset();
        listen();
        uint32_t now = now_ms();
        if (now - scanned_ms >= SCAN_MS) {
            scanned_ms = now;
            look(now);
        } else {
            sleep_mode();
        }
    }
}
