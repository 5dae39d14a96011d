/* The I2C bus of the display at J3. Its pins are moved by the program, so that the emulator sees every edge, and so that a
 * display that holds a line low stops nothing: no step waits for a line. */
#include <avr/io.h>
#include <util/delay.h>

#include "board.h"

/* Port C, low or open: the display has the pull-ups, often to 3.3 V. As input of a port a pin needs 60 % of the supply to
 * be high, as pin of the I2C unit 70 %, which would be 3.5 V. */
#define DISPLAY_DATA PC4
#define DISPLAY_CLOCK PC5

/* Long enough for 10 kohm to charge 100 pF to 90 %. */
#define HALF_PERIOD_US 2.5

static void pull(uint8_t pin) { DDRC |= _BV(pin); }

static void let_go(uint8_t pin) { DDRC &= ~_BV(pin); }

static void pulse_clock(void)
{
    _delay_us(HALF_PERIOD_US);
    let_go(DISPLAY_CLOCK);
    _delay_us(HALF_PERIOD_US);
}

/* Returns the level of the data line: a display that acknowledges pulls down a bit of 1. */
static bool exchange_bit(bool bit)
{
    if (bit)
        let_go(DISPLAY_DATA);
    else
        pull(DISPLAY_DATA);
    pulse_clock();
    bool level = bit_is_set(PINC, DISPLAY_DATA);
    pull(DISPLAY_CLOCK);
    return level;
}

/* Whether the byte was acknowledged. */
static bool write_byte(uint8_t byte)
{
    for (uint8_t mask = 0x80; mask; mask >>= 1)
        exchange_bit(byte & mask);
    return !exchange_bit(true);
}

/* Whether both lines rise by themselves; where there is no display, nothing pulls them up. A reset in the middle of a byte
 * leaves a display that waits for more clocks, and may hold the data line meanwhile: nine are enough. */
static bool is_free(void)
{
    for (uint8_t clocks = 9; clocks; clocks--) {
        pull(DISPLAY_CLOCK);
        pull(DISPLAY_DATA);
        let_go(DISPLAY_DATA);
        pulse_clock();
        if (bit_is_set(PINC, DISPLAY_DATA) && bit_is_set(PINC, DISPLAY_CLOCK))
            return true;
    }
    return false;
}

bool board_write_display(uint8_t address, const uint8_t *bytes, uint8_t count)
{
    if (!is_free())
        return false;
    pull(DISPLAY_DATA);
    _delay_us(HALF_PERIOD_US);
    pull(DISPLAY_CLOCK);
    bool is_written = write_byte(address << 1);
    while (is_written && count--)
        is_written = write_byte(*bytes++);
    pull(DISPLAY_DATA);
    pulse_clock();
    let_go(DISPLAY_DATA);
    _delay_us(HALF_PERIOD_US);
    return is_written;
}
