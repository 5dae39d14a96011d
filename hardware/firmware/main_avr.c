/* The scanner's firmware for an ATmega328P at 16 MHz, such as an Arduino Nano. Pins and frames: README.md. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/atomic.h>
#include <util/delay.h>

#include "proto.h"
#include "scan.h"

#define BAUD 115200
#define BAUD_TOL 3 /* 16 MHz give 117647, which every USB bridge accepts */
#include <util/setbaud.h>

#define LATCH PB1  /* D9, to /PL */
#define SELECT PB2 /* D10; must stay an output, or the SPI unit becomes a slave */
#define MOSI PB3   /* D11, not connected */
#define CLOCK PB5  /* D13; D12 is MISO */

#define SCAN_MS 5
#define SNAPSHOT_MS 100
#define MIN_SNAPSHOT_MS 20
#define MAX_DEBOUNCE 20
#define RING 64 /* a power of two */

static struct chain chain;
static struct decoder decoder;
static uint8_t sequence, snapshot_ms = SNAPSHOT_MS;

/* Time, in milliseconds since the reset */

static volatile uint32_t ticks;

ISR(TIMER0_COMPA_vect) { ticks++; }

static uint32_t now_ms(void)
{
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_FORCEON) { now = ticks; }
    return now;
}

/* Serial port: received bytes go into a ring buffer, sending blocks */

static volatile uint8_t ring[RING], ring_in, ring_out;

ISR(USART_RX_vect)
{
    uint8_t byte = UDR0, next = (ring_in + 1) % RING;
    if (next != ring_out) { /* if the buffer is full, the frame fails its CRC */
        ring[ring_in] = byte;
        ring_in = next;
    }
}

static void send(uint8_t kind, const uint8_t *payload, size_t count)
{
    static uint8_t frame[MAX_FRAME];
    size_t length = proto_encode(kind, sequence++, payload, count, frame);
    for (size_t at = 0; at < length; at++) {
        loop_until_bit_is_set(UCSR0A, UDRE0);
        UDR0 = frame[at];
    }
}

/* Sensor chain: /PL low loads all registers, then they are shifted in by SPI mode 0 at 500 kHz */

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

/* Sending frames */

static uint8_t *put_ms(uint8_t *to, uint32_t ms)
{
    for (int8_t shift = 24; shift >= 0; shift -= 8)
        *to++ = ms >> shift;
    return to;
}

static void send_hello(void)
{
    uint8_t hello[8] = {PROTO_VERSION, FIRMWARE_MAJOR, FIRMWARE_MINOR, chain.strips};
    put_ms(hello + 4, now_ms());
    send(HELLO, hello, sizeof hello);
}

static void send_error(uint8_t code, uint8_t first, uint8_t second)
{
    uint8_t error[] = {code, first, second};
    send(ERROR, error, sizeof error);
}

static void send_changes(void)
{
    uint8_t payload[4 + sizeof chain.change], *to = put_ms(payload, now_ms());
    if (chain.changes > MAX_CHANGES) /* the snapshot that follows has them all */
        return;
    for (uint8_t at = 0; at < chain.changes; at++) {
        *to++ = chain.change[at].strip;
        *to++ = chain.change[at].before;
        *to++ = chain.change[at].after;
    }
    send(CHANGE, payload, to - payload);
}

static void send_state(bool is_broken)
{
    if (is_broken)
        send_error(CHAIN_BROKEN, chain.broken_strip, chain.broken_byte);
    else
        send(SNAPSHOT, chain.state, chain.strips);
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

static void execute(const uint8_t *frame, size_t count)
{
    const uint8_t *payload = frame + 2;
    uint8_t kind = frame[0];
    if (kind == ASK_HELLO)
        send_hello();
    else if (kind == PING)
        send(PONG, payload, count);
    else if (kind == CONFIGURE && configure(payload, count))
        send(CONFIGURED, payload, 2);
    else
        send_error(UNKNOWN_COMMAND, kind, frame[1]);
}

static void receive(void)
{
    while (ring_out != ring_in) {
        size_t count;
        enum decoded result = proto_decode(&decoder, ring[ring_out], &count);
        ring_out = (ring_out + 1) % RING;
        if (result == DECODED_FRAME)
            execute(decoder.bytes, count);
        else if (result == DECODED_CORRUPT)
            send_error(CORRUPT_FRAME, 0, 0);
    }
}

/* Scans the chain once and sends what has changed; sends the state after a change and when a snapshot is due. */
static void scan(uint32_t now)
{
    static uint32_t state_sent_ms;
    static bool was_broken;
    enum scan_result result = scan_chain(&chain, read_strips);
    bool is_broken = result == SCAN_BROKEN, is_new = result == SCAN_CHANGED || result == SCAN_RECOUNTED;
    if (result == SCAN_RECOUNTED)
        send_hello();
    if (result == SCAN_CHANGED)
        send_changes();
    if (is_new || is_broken != was_broken || now - state_sent_ms >= snapshot_ms) {
        state_sent_ms = now;
        send_state(is_broken);
    }
    was_broken = is_broken;
}

static void set_up(void)
{
    DDRB = _BV(LATCH) | _BV(SELECT) | _BV(MOSI) | _BV(CLOCK);
    PORTB = _BV(LATCH) | _BV(SELECT);
    SPCR = _BV(SPE) | _BV(MSTR) | _BV(SPR1);
    SPSR = _BV(SPI2X); /* 16 MHz / 32 */
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
    MCUSR = 0; /* a watchdog that caused the reset stays on until its flag is cleared */
    wdt_enable(WDTO_250MS);
    set_up();
    sei();
    chain.debounce = DEBOUNCE_SCANS;
    scan_chain(&chain, read_strips);
    send_hello();
    for (uint32_t scanned_ms = now_ms();;) {
        wdt_reset();
        receive();
        uint32_t now = now_ms();
        if (now - scanned_ms >= SCAN_MS) {
            scanned_ms = now;
            scan(now);
        } else {
            sleep_mode();
        }
    }
}
