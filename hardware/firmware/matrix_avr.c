/* The sensing board, revision C: an ATmega328P at 16 MHz and 5 V. Pins: README.md. */
#include <avr/io.h>
#include <util/delay.h>

#include "board.h"
#include "matrix.h"

/* Port D: the matrix */
#define CLOCK PD2    /* of all registers: shifts columns out and rows in */
#define COLUMN PD3   /* data to the 74HC595 */
#define ROW PD4      /* data from the 74HC165 */
#define LATCH PD5    /* ST_CP of the 74HC595 */
#define LOAD PD6     /* /PL of the 74HC165 */
#define KEY_COLUMN_4 PD7

/* Port B: the lights, and three columns of the keypad */
#define KEY_COLUMN_1 PB0
#define KEY_COLUMN_2 PB1
#define OFF PB2 /* /OE of the 74HC595: high, no column has power */
#define LIGHT_DATA PB3
#define KEY_COLUMN_3 PB4
#define LIGHT_CLOCK PB5

/* Port C: the rows of the keypad, low or open */
#define KEY_ROWS 4

/* Analogue inputs, against the 5 V of the supply */
#define HALL_SENSE 6
#define SUPPLY_SENSE 7
#define MAX_STEPS 1023
#define STEPS_OF_MV(mv) ((mv) * 1024UL / 5000)
#define MA_OF_STEPS(steps) ((uint16_t)((steps) * 125UL / 256)) /* 5 V / 1024 over 10 ohm is 125/256 mA */

/* A switch answers some 35 us after it has power. The measurement of the current makes 100 us of it. */
#define WAKE_US 74

const struct board board = {.layout = MATRIX, .lights = MAX_LIGHTS, .has_keys = true};

static uint16_t measure(uint8_t channel)
{
    ADMUX = _BV(REFS0) | channel;
    ADCSRA |= _BV(ADSC);
    loop_until_bit_is_clear(ADCSRA, ADSC);
    return ADC;
}

/* Matrix */

/* One bit to the 74HC595 and, before its clock, one from the 74HC165. `out` is port D without COLUMN and CLOCK. */
#define EXCHANGE_BIT(bit)                                                     \
    do {                                                                      \
        PORTD = byte & 1 << (bit) ? out | _BV(COLUMN) : out;                  \
        if (bit_is_set(PIND, ROW))                                            \
            row_bits |= 1 << (bit);                                           \
        PORTD |= _BV(CLOCK);                                                  \
    } while (0)

static uint8_t exchange_byte(uint8_t byte)
{
    uint8_t row_bits = 0, out = PORTD & ~(_BV(COLUMN) | _BV(CLOCK));
    EXCHANGE_BIT(7);
    EXCHANGE_BIT(6);
    EXCHANGE_BIT(5);
    EXCHANGE_BIT(4);
    EXCHANGE_BIT(3);
    EXCHANGE_BIT(2);
    EXCHANGE_BIT(1);
    EXCHANGE_BIT(0);
    PORTD &= ~_BV(CLOCK);
    return row_bits;
}

/* The transistors of eight columns: low is on. */
static uint8_t gates(uint8_t column, uint8_t first)
{
    uint8_t at = column - first;
    return at < 8 ? ~_BV(at) : 0xFF;
}

/* Shifts the gate of one column into the 74HC595, highest column first, and meanwhile the loaded rows out of the 74HC165:
 * rows 7 to 0, then 15 to 8. Of the 32 bits each board keeps those that it has registers for. */
static uint16_t exchange(uint8_t column)
{
    uint8_t low = exchange_byte(gates(column, 24)), high = exchange_byte(gates(column, 16));
    exchange_byte(gates(column, 8));
    exchange_byte(gates(column, 0));
    return high << 8 | low;
}

/* The gate of the next column is shifted in while the rows of this one are shifted out. */
static struct column read_matrix(uint8_t column)
{
    static uint8_t ready = NO_COLUMN;
    if (column != ready)
        exchange(column);
    PORTD |= _BV(LATCH);
    PORTD &= ~_BV(LATCH);
    PORTB &= ~_BV(OFF);
    _delay_us(WAKE_US);
    uint16_t ma = MA_OF_STEPS(MAX_STEPS - measure(HALL_SENSE));
    PORTD &= ~_BV(LOAD);
    _delay_us(1);
    PORTD |= _BV(LOAD);
    PORTB |= _BV(OFF);
    ready = column + 1;
    return (struct column){exchange(ready), ma < 255 ? ma : 255};
}

enum scan_result board_scan(struct chain *chain) { return scan_matrix(chain, read_matrix); }

uint8_t board_currents(uint8_t strips, uint8_t *ma)
{
    uint8_t columns = strips / STRIPS_PER_COLUMN;
    for (uint8_t column = 0; column < columns; column++)
        ma[column] = read_matrix(column).ma;
    return columns;
}

/* Keypad: one row at a time is pulled low, the others float */

static uint8_t low_columns(void)
{
    uint8_t b = ~PINB, d = ~PIND;
    return (b >> KEY_COLUMN_1 & 1) | (b >> KEY_COLUMN_2 & 1) << 1 | (b >> KEY_COLUMN_3 & 1) << 2
           | (d >> KEY_COLUMN_4 & 1) << 3;
}

uint16_t board_keys(void)
{
    uint16_t keys = 0;
    for (uint8_t row = 0; row < KEY_ROWS; row++) {
        PORTC &= ~_BV(row);
        DDRC |= _BV(row);
        _delay_us(5);
        keys |= (uint16_t)low_columns() << 4 * row;
        DDRC &= ~_BV(row);
        PORTC |= _BV(row);
    }
    return keys;
}

/* Lights: APA102 protocol, by hand, so that the emulator sees every edge */

#define SHIFT_BIT(bit)                                                        \
    do {                                                                      \
        PORTB = byte & 1 << (bit) ? out | _BV(LIGHT_DATA) : out;              \
        PORTB |= _BV(LIGHT_CLOCK);                                            \
    } while (0)

static void shift_out(uint8_t byte)
{
    uint8_t out = PORTB & ~(_BV(LIGHT_DATA) | _BV(LIGHT_CLOCK));
    SHIFT_BIT(7);
    SHIFT_BIT(6);
    SHIFT_BIT(5);
    SHIFT_BIT(4);
    SHIFT_BIT(3);
    SHIFT_BIT(2);
    SHIFT_BIT(1);
    SHIFT_BIT(0);
    PORTB &= ~_BV(LIGHT_CLOCK);
}

static void repeat(uint8_t byte, uint8_t times)
{
    while (times--)
        shift_out(byte);
}

/* Each light holds back the clock for half a period: so many more bytes bring a bit to the last one. */
static uint8_t delay_bytes(uint16_t lights) { return lights / 16 + 1; }

static bool comes_back(void) { return measure(SUPPLY_SENSE) > STEPS_OF_MV(1250); }

/* Ones follow the last light at once, and go through all lights. The 32 zeros after them make an SK9822 show its word. */
enum light_chain board_show(const struct picture *picture)
{
    uint8_t head = 0xE0 | picture->brightness;
    repeat(0, 4);
    for (uint16_t light = 0; light < picture->lights; light++) {
        const uint8_t *tint = picture_tint(picture, light);
        shift_out(head);
        shift_out(tint[2]);
        shift_out(tint[1]);
        shift_out(tint[0]);
    }
    repeat(0xFF, delay_bytes(picture->lights));
    bool is_high = comes_back();
    repeat(0, 4 + delay_bytes(picture->lights));
    return is_high && !comes_back() ? LIGHTS_INTACT : LIGHTS_BROKEN;
}

/* Supply: while the data of the last light is low, a third of the CC line of the USB-C plug */

uint8_t board_supply(void)
{
    uint16_t steps = measure(SUPPLY_SENSE);
    if (steps < STEPS_OF_MV(220))
        return 5;
    return steps < STEPS_OF_MV(430) ? 15 : 30;
}

void board_set_up(void)
{
    DDRD = _BV(CLOCK) | _BV(COLUMN) | _BV(LATCH) | _BV(LOAD);
    PORTD = _BV(LOAD) | _BV(KEY_COLUMN_4);
    PORTB = _BV(OFF) | _BV(KEY_COLUMN_1) | _BV(KEY_COLUMN_2) | _BV(KEY_COLUMN_3);
    DDRB = _BV(OFF) | _BV(LIGHT_DATA) | _BV(LIGHT_CLOCK);
    PORTC = (1 << KEY_ROWS) - 1;
    ADCSRA = _BV(ADEN) | _BV(ADPS2) | _BV(ADPS0); /* 16 MHz / 32: 8 bits are enough, and a conversion takes 26 us */
}
