/* The scanner for a board of strips: an ATmega328P at 16 MHz, such as an Arduino Nano. Pins: README.md. */
#include <avr/io.h>
#include <util/delay.h>

#include "board.h"

#define LATCH PB1  /* D9, to /PL */
#define SELECT PB2 /* D10; must stay an output, or the SPI unit becomes a slave */
#define MOSI PB3   /* D11, not connected */
#define CLOCK PB5  /* D13; D12 is MISO */

const struct board board = {.layout = STRIPS};

void board_set_up(void)
{
    DDRB = _BV(LATCH) | _BV(SELECT) | _BV(MOSI) | _BV(CLOCK);
    PORTB = _BV(LATCH) | _BV(SELECT);
    SPCR = _BV(SPE) | _BV(MSTR) | _BV(SPR1);
    SPSR = _BV(SPI2X); /* 16 MHz / 32 */
}

/* /PL low loads all registers, then they are shifted in by SPI mode 0 at 500 kHz. */
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

enum scan_result board_scan(struct chain *chain) { return scan_chain(chain, read_strips); }

uint16_t board_keys(void) { return 0; }

enum light_chain board_show(const struct picture *picture)
{
    (void)picture;
    return LIGHTS_UNKNOWN;
}

uint8_t board_supply(void) { return 0; }

bool board_write_display(uint8_t address, const uint8_t *bytes, uint8_t count)
{
    (void)address, (void)bytes, (void)count;
    return false;
}

uint8_t board_currents(uint8_t strips, uint8_t *ma)
{
    (void)strips, (void)ma;
    return 0;
}
