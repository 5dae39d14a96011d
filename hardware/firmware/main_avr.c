/* The main loop on an ATmega328P at 16 MHz, with its timer, serial port and watchdog. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/atomic.h>

#include "board.h"
#include "link.h"
#include "port.h"

#define BAUD 115200
#define BAUD_TOL 3 /* 16 MHz give 117647, which every USB bridge accepts */
#include <util/setbaud.h>

#define SCAN_MS 5

/* Time, in milliseconds since the reset */

static volatile uint32_t ticks;

ISR(TIMER0_COMPA_vect) { ticks++; }

uint32_t port_now_ms(void)
{
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_FORCEON) { now = ticks; }
    return now;
}

/* Serial port: a ring of 256 bytes, 22 ms on the wire, for each direction. `in` and `out` wrap by themselves. */

struct ring {
    volatile uint8_t bytes[256], in, out;
};

static struct ring received, unsent;

static bool put(struct ring *ring, uint8_t byte)
{
    uint8_t next = ring->in + 1;
    if (next == ring->out)
        return false;
    ring->bytes[ring->in] = byte;
    ring->in = next;
    return true;
}

ISR(USART_RX_vect) { put(&received, UDR0); } /* if the ring is full, the frame fails its CRC */

ISR(USART_UDRE_vect)
{
    if (unsent.in == unsent.out)
        UCSR0B &= ~_BV(UDRIE0);
    else
        UDR0 = unsent.bytes[unsent.out++];
}

bool port_receive(uint8_t *byte)
{
    if (received.out == received.in)
        return false;
    *byte = received.bytes[received.out++];
    return true;
}

void port_send(const uint8_t *bytes, size_t count)
{
    while (count--) {
        while (!put(&unsent, *bytes))
            ;
        bytes++;
        UCSR0B |= _BV(UDRIE0);
    }
}

static void set_up(void)
{
    board_set_up();
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
    link_start();
    for (uint32_t scanned_ms = port_now_ms();;) {
        wdt_reset();
        link_receive();
        uint32_t now = port_now_ms();
        if (now - scanned_ms >= SCAN_MS) {
            scanned_ms = now;
            link_scan(now);
        } else {
            sleep_mode();
        }
    }
}
