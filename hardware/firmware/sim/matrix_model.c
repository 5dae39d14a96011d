/* The sensing board at an emulated chip: registers, power-gated switches, lights and keys, as the pins drive them.
 *
 *     board COLUMNS LIGHTS      a board with so many columns of fifteen switches, and so many lights
 *     magnets HEX               two bytes a column, rows 0 to 7 and 8 to 15, lowest bit first; 1 is a magnet
 *     wake US                   how long a switch takes after it has power
 *     dead COLUMN               a column that never has power; `dead -1`: none
 *     open COLUMN SWITCHES      so many switches of a column have no power; `open -1 0`: all have
 *     short ROW                 a row line at ground; `short -1`: none
 *     cut LIGHT                 the first light that no data reaches; `cut -1`: none
 *     source MV                 CC1 + CC2 of the USB-C plug
 *     keys MASK                 the keys that are down, hexadecimal: bit 4 x row + column
 *     display ADDRESS           a display with this address, hexadecimal; `display 0`: none
 *     stuck LINE CLOCKS         a device holds the display's data (4) or clock (5) low until so many clocks; `stuck 0 0`: none
 *     written                   print what the display was sent, a line a transaction, hexadecimal; then forget it
 *     lights                    print what each light shows: its brightness byte, blue, green and red, hexadecimal
 *     times                     print the longest scan, the longest picture, and the longest time from the last byte of a
 *                               frame to the end of the picture, in microseconds; then forget them
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <avr_adc.h>
#include <avr_ioport.h>

#include "rig.h"

/* Port D */
enum { CLOCK = 2, COLUMN = 3, ROW = 4, LATCH = 5, LOAD = 6, KEY_COLUMN_4 = 7 };
/* Port B */
enum { KEY_COLUMN_1 = 0, KEY_COLUMN_2 = 1, OFF = 2, LIGHT_DATA = 3, KEY_COLUMN_3 = 4, LIGHT_CLOCK = 5 };
/* Port C */
#define KEY_ROWS 4
#define PORTC 0x28
enum { DISPLAY_DATA = 4, DISPLAY_CLOCK = 5 };
#define HALL_SENSE 6
#define SUPPLY_SENSE 7

#define MAX_COLUMNS 32
#define SWITCHES 15
#define SWITCH_UA 2700
#define PULSE_US 5 /* at the end of its wake time a switch pulls its row for a moment */
#define SENSE_OHM 10
#define MAX_LIGHTS 512
#define WORD 32
#define MAX_BITS (MAX_LIGHTS * (WORD + 1) + 200)

static avr_t *avr;
static avr_irq_t *row_data, *hall_sense, *supply_sense, *key_columns[4];

/* Matrix */

static int columns = 8, dead = -1, shorted = -1, wake_us = 60;
static int open_column = -1, open_switches;
static uint16_t magnets[MAX_COLUMNS];
static uint64_t shifted, latched = ~0ull;
static bool level[2][8]; /* of the pins of ports B and D */
static avr_cycle_count_t powered_at;
static int powered = -1;
static uint16_t rows; /* in the 74HC165: the next bit is the highest */

static bool is_high(char port, int pin) { return level[port == 'D'][pin]; }

/* The column that has power; -1: none. Two at a time would be a fault of the firmware. */
static int powered_column(void)
{
    int found = -1;
    for (int column = 0; column < columns && !is_high('B', OFF); column++) {
        if (latched >> column & 1)
            continue;
        if (found >= 0)
            rig_fail("expected power for one column, got columns %d and %d", found, column);
        found = column;
    }
    return found == dead ? -1 : found;
}

static void update_power(void)
{
    int column = powered_column();
    if (column == powered)
        return;
    powered = column;
    powered_at = avr->cycle;
    int switches = column < 0 ? 0 : column == open_column ? SWITCHES - open_switches : SWITCHES;
    int ua = switches * SWITCH_UA;
    avr_raise_irq(hall_sense, 5000 - ua * SENSE_OHM / 1000);
}

/* The row lines: 1 is high. */
static uint16_t row_lines(void)
{
    uint16_t lines = 0xFFFF;
    long on_us = (avr->cycle - powered_at) / US;
    if (powered >= 0 && on_us >= wake_us)
        lines &= ~magnets[powered];
    else if (powered >= 0 && on_us >= wake_us - PULSE_US)
        lines = 0;
    return shorted < 0 ? lines : lines & ~(1 << shorted);
}

/* Rows 7 to 0 come first, then 15 to 8. */
static void load_rows(void)
{
    uint16_t lines = row_lines();
    rows = lines << 8 | lines >> 8;
    avr_raise_irq(row_data, rows >> 15);
}

static void shift(void)
{
    shifted = shifted << 1 | is_high('D', COLUMN);
    if (is_high('D', LOAD)) {
        rows <<= 1;
        avr_raise_irq(row_data, rows >> 15);
    }
}

/* Times */

#define PAUSE_US 500 /* between two pictures */

struct span {
    avr_cycle_count_t first, last;
    uint32_t longest_us;
};

static struct span scan, picture;
static avr_cycle_count_t received_at;
static uint32_t slowest_us; /* from the last byte of a frame to the end of the picture */

static void extend(struct span *span)
{
    span->last = avr->cycle;
    uint32_t took_us = (span->last - span->first) / US;
    if (took_us > span->longest_us)
        span->longest_us = took_us;
}

/* Lights: a chain of SK9822. After 32 zeros each keeps the first word that it receives and passes the rest on, half a clock
 * later; it shows its word after the next 32 zeros. */

static int lights = 125, cut = -1, source_mv = 410;
static uint8_t shown[MAX_LIGHTS][4];
static bool burst[MAX_BITS]; /* all bits since the last pause */
static int bits, start;      /* `start`: the first bit that is not zero; MAX_BITS: none yet */

static void forget_burst(void)
{
    bits = 0;
    start = MAX_BITS;
}

static bool is_zero(int at, int count)
{
    for (int end = at + count; at < end; at++)
        if (at >= bits || burst[at])
            return false;
    return true;
}

static void take_word(int light)
{
    int at = start + WORD * light;
    memset(shown[light], 0, 4);
    for (int bit = 0; bit < WORD; bit++)
        shown[light][bit / 8] |= burst[at + bit] << (7 - bit % 8);
}

/* What the lights show after a whole burst. */
static void show_burst(void)
{
    int end = start + WORD * lights; /* after the word of the last light */
    if (!bits)
        return;
    if (start < WORD || end > bits)
        rig_fail("expected %d zeros and %d words, got %d zeros and %d bits", WORD, lights, start, bits - start);
    int zeros = end;
    while (zeros < bits && !is_zero(zeros, WORD))
        zeros++;
    if (!is_zero(zeros, bits - zeros))
        rig_fail("expected nothing after the zeros that end a picture");
    for (int light = 0; light < lights && (cut < 0 || light < cut); light++) {
        if (!burst[start + WORD * light] || !burst[start + WORD * light + 1] || !burst[start + WORD * light + 2])
            rig_fail("expected the word of light %d to begin with 111", light);
        if (zeros + WORD + light / 2 <= bits)
            take_word(light);
    }
    forget_burst();
}

/* The data output of the last light. */
static void drive_return(void)
{
    int at = bits - 1 - (lights + 1) / 2;
    bool is_back = cut < 0 && at >= start + WORD * lights && burst[at];
    avr_raise_irq(supply_sense, (source_mv + (is_back ? 5000 : 0)) / 3);
}

static bool is_paused(void) { return avr->cycle - picture.last > PAUSE_US * US; }

static void on_light_clock(void)
{
    if (is_paused()) {
        show_burst();
        picture.first = avr->cycle;
    }
    extend(&picture);
    uint32_t after_us = (avr->cycle - received_at) / US;
    if (received_at && after_us > slowest_us && picture.first > received_at)
        slowest_us = after_us;
    if (bits == MAX_BITS)
        rig_fail("expected a picture of at most %d bits", MAX_BITS);
    burst[bits++] = is_high('B', LIGHT_DATA);
    if (start == MAX_BITS && burst[bits - 1])
        start = bits - 1;
    drive_return();
}

static void print_lights(void)
{
    if (is_paused())
        show_burst();
    for (int light = 0; light < lights; light++)
        printf("%02x%02x%02x%02x", shown[light][0], shown[light][1], shown[light][2], shown[light][3]);
    putchar('\n');
}

/* Keypad: a row that is driven low pulls the columns of its pressed keys low */

static unsigned keys;

static void on_key_rows(struct avr_irq_t *irq, uint32_t outputs, void *unused)
{
    (void)irq, (void)unused;
    unsigned down = 0;
    for (int row = 0; row < KEY_ROWS; row++)
        if (outputs >> row & ~avr->data[PORTC] >> row & 1)
            down |= keys >> 4 * row & 0xF;
    for (int column = 0; column < 4; column++)
        avr_raise_irq(key_columns[column], !(down >> column & 1));
}

/* Display: any device of the I2C bus that only listens. It acknowledges its address, and every byte after it. */

#define MIN_LOW_CYCLES (US * 13 / 10) /* of the clock, in fast mode: UM10204, table 10 */
#define MIN_HIGH_CYCLES (US * 6 / 10)
#define MAX_WRITTEN 65536
#define BYTE_BITS 8

static avr_irq_t *display_lines[2];
static unsigned display;
static int stuck_line, stuck_clocks;
static bool drives_low[2], is_line_high[2] = {true, true}; /* data, clock */
static avr_cycle_count_t clock_changed_at;
static enum { IDLE, ADDRESSED, TRANSFERS, OTHERS } transaction;
static int received_bits;
static unsigned received_byte;
static bool acknowledges;
static char written[MAX_WRITTEN];
static int written_end;

static void log_written(const char *format, unsigned byte)
{
    if (written_end > MAX_WRITTEN - 4)
        rig_fail("expected what the display was sent to be asked for");
    written_end += sprintf(written + written_end, format, byte);
}

static void on_display_byte(void)
{
    if (transaction == ADDRESSED)
        transaction = display && received_byte == display << 1 ? TRANSFERS : OTHERS;
    else if (transaction == TRANSFERS)
        log_written("%02x", received_byte);
    acknowledges = transaction == TRANSFERS;
}

static void on_display_clock(bool rises)
{
    avr_cycle_count_t took = avr->cycle - clock_changed_at;
    clock_changed_at = avr->cycle;
    if (took < (rises ? MIN_LOW_CYCLES : MIN_HIGH_CYCLES))
        rig_fail("expected a slower clock at the display, got %d cycles", (int)took);
    if (rises && stuck_clocks)
        stuck_clocks--;
    if (transaction == IDLE || transaction == OTHERS)
        return;
    if (rises) {
        received_byte = (received_byte << 1 | is_line_high[0]);
        received_bits++;
    } else if (received_bits == BYTE_BITS) {
        on_display_byte();
    } else if (received_bits > BYTE_BITS) { /* after the acknowledgement */
        received_bits = 0;
        received_byte = 0;
        acknowledges = false;
    }
}

/* The data line changes while the clock is high. */
static void on_display_condition(bool is_start)
{
    if (!is_start && transaction == TRANSFERS)
        log_written("\n", 0);
    transaction = is_start ? ADDRESSED : IDLE;
    received_bits = 0;
    received_byte = 0;
    acknowledges = false;
}

static bool is_pulled_low(int line)
{
    bool is_stuck = stuck_clocks && stuck_line == DISPLAY_DATA + line;
    return drives_low[line] || is_stuck || (line == 0 && acknowledges);
}

/* The levels follow what the chip and the devices do, until nothing changes any more. Only a display pulls the lines up:
 * without one they keep their level. */
static void settle_display_lines(void)
{
    for (int line = 0; line < 2; line++) {
        bool is_high_now = !is_pulled_low(line) && (display || is_line_high[line]);
        avr_raise_irq(display_lines[line], is_high_now);
        if (is_high_now == is_line_high[line])
            continue;
        is_line_high[line] = is_high_now;
        if (line)
            on_display_clock(is_high_now);
        else if (is_line_high[1])
            on_display_condition(!is_high_now);
        line = -1;
    }
}

static void on_display_pins(struct avr_irq_t *irq, uint32_t outputs, void *unused)
{
    (void)irq, (void)unused;
    for (int line = 0; line < 2; line++)
        drives_low[line] = outputs >> (DISPLAY_DATA + line) & ~avr->data[PORTC] >> (DISPLAY_DATA + line) & 1;
    settle_display_lines();
}

/* Whole transactions only. */
static void print_written(void)
{
    int whole = written_end;
    while (whole && written[whole - 1] != '\n')
        whole--;
    fwrite(written, 1, whole, stdout);
    written_end -= whole;
    memmove(written, written + whole, written_end);
}

/* Pins */

/* A scan begins with no column. */
static void latch_columns(void)
{
    latched = shifted;
    if ((uint32_t)latched == UINT32_MAX)
        scan.first = avr->cycle;
}

static void on_pin(char port, int pin, bool now)
{
    bool is_rising = now && !is_high(port, pin);
    level[port == 'D'][pin] = now;
    if (port == 'B' && pin == LIGHT_CLOCK && is_rising)
        on_light_clock();
    if (port == 'D' && pin == CLOCK && is_rising)
        shift();
    if (port == 'D' && pin == LATCH && is_rising)
        latch_columns();
    if (port == 'D' && pin == LOAD && is_rising) {
        load_rows();
        extend(&scan);
    }
    if ((port == 'D' && pin == LATCH) || (port == 'B' && pin == OFF))
        update_power();
}

static void on_port_b(struct avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)unused;
    on_pin('B', irq->irq & 7, value);
}

static void on_port_d(struct avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)unused;
    on_pin('D', irq->irq & 7, value);
}

static void listen(char port, int pin, avr_irq_notify_t notify)
{
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), pin), notify, NULL);
}

void model_attach(avr_t *chip)
{
    avr = chip;
    forget_burst();
    row_data = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), ROW);
    hall_sense = avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + HALL_SENSE);
    supply_sense = avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + SUPPLY_SENSE);
    const struct { char port; int pin; } at[] = {
        {'B', KEY_COLUMN_1}, {'B', KEY_COLUMN_2}, {'B', KEY_COLUMN_3}, {'D', KEY_COLUMN_4},
    };
    for (int column = 0; column < 4; column++)
        key_columns[column] = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(at[column].port), at[column].pin);
    for (int pin = CLOCK; pin <= LOAD; pin++)
        if (pin != ROW)
            listen('D', pin, on_port_d);
    listen('B', OFF, on_port_b);
    listen('B', LIGHT_DATA, on_port_b);
    listen('B', LIGHT_CLOCK, on_port_b);
    listen('C', IOPORT_IRQ_DIRECTION_ALL, on_key_rows);
    listen('C', IOPORT_IRQ_DIRECTION_ALL, on_display_pins);
    for (int line = 0; line < 2; line++) {
        display_lines[line] = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('C'), DISPLAY_DATA + line);
        avr_raise_irq(display_lines[line], 1);
    }
    level[0][OFF] = level[1][LOAD] = true;
    avr_raise_irq(hall_sense, 5000);
    drive_return();
}

/* A picture that is cut short is none. simavr clears the inputs, but reports only levels that differ from the last one. */
void model_reset(void)
{
    forget_burst();
    for (int column = 0; column < 4; column++) {
        avr_raise_irq(key_columns[column], 0);
        avr_raise_irq(key_columns[column], 1);
    }
    for (int line = 0; line < 2; line++) {
        drives_low[line] = false;
        avr_raise_irq(display_lines[line], 0);
    }
    clock_changed_at = 0;
    settle_display_lines();
}

void model_received(void) { received_at = avr->cycle; }

static void set_magnets(const char *hex)
{
    unsigned low, high;
    memset(magnets, 0, sizeof magnets);
    for (int column = 0; column < MAX_COLUMNS && sscanf(hex + 4 * column, "%2x%2x", &low, &high) == 2; column++)
        magnets[column] = low | high << 8;
}

static void print_times(void)
{
    printf("%u %u %u\n", scan.longest_us, picture.longest_us, slowest_us);
    scan.longest_us = picture.longest_us = slowest_us = 0;
}

bool model_execute(const char *line)
{
    if (!strncmp(line, "magnets ", 8))
        set_magnets(line + 8);
    else if (!strcmp(line, "lights"))
        print_lights();
    else if (!strcmp(line, "written"))
        print_written();
    else if (!strcmp(line, "times"))
        print_times();
    else
        return sscanf(line, "board %d %d", &columns, &lights) == 2 || sscanf(line, "wake %d", &wake_us) == 1
               || sscanf(line, "dead %d", &dead) == 1 || sscanf(line, "open %d %d", &open_column, &open_switches) == 2
               || sscanf(line, "short %d", &shorted) == 1
               || sscanf(line, "cut %d", &cut) == 1 || sscanf(line, "source %d", &source_mv) == 1
               || sscanf(line, "keys %x", &keys) == 1 || sscanf(line, "display %x", &display) == 1
               || sscanf(line, "stuck %d %d", &stuck_line, &stuck_clocks) == 2;
    settle_display_lines();
    return true;
}
