/* An emulated ATmega328P that runs the firmware in real time. It has no model of the chain: the bytes that the strips
 * shift out after a latch are given on standard input, where each line is a command:
 *
 *     chain BFBF...00   the bytes, nearest strip first; zeros follow
 *     reset             reset the chip, as its button does, or the host that opens the port
 *     hang              switch the SPI unit off, so that the firmware waits for ever
 *
 * It answers each line with "ok". argv: the firmware's ELF, and the file descriptor of the serial cable.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sim_avr.h>
#include <sim_elf.h>
#include <avr_ioport.h>
#include <avr_spi.h>
#include <avr_uart.h>

#define HERTZ 16000000
#define BYTE_CYCLES (HERTZ / 115200 * 10)
#define SPCR 0x4C
#define SPE 0x40
#define MODE_BITS 0x0C /* CPOL and CPHA: both 0 is mode 0 */
#define LATCH 1        /* PB1 */
#define MAX_BYTES 256

static avr_t *avr;
static avr_irq_t *miso, *rx;
static unsigned char stream[MAX_BYTES];
static size_t at;
static int latch = 1, cable;

static void on_latch(struct avr_irq_t *irq, uint32_t level, void *unused)
{
    (void)irq, (void)unused;
    latch = level;
    if (!latch)
        at = 0;
}

/* While /PL is low the registers follow their inputs, so only the first bit appears. */
static void on_spi(struct avr_irq_t *irq, uint32_t sent, void *unused)
{
    (void)irq, (void)sent, (void)unused;
    if (avr->data[SPCR] & MODE_BITS) {
        fprintf(stderr, "expected SPI mode 0, got SPCR %02x\n", avr->data[SPCR]);
        exit(1);
    }
    if (!latch)
        avr_raise_irq(miso, stream[0] & 0x80 ? 0xFF : 0);
    else
        avr_raise_irq(miso, at < MAX_BYTES ? stream[at++] : 0);
}

static void on_tx(struct avr_irq_t *irq, uint32_t byte, void *unused)
{
    (void)irq, (void)unused;
    unsigned char sent = byte;
    if (write(cable, &sent, 1) < 0 && errno != EAGAIN) /* the cable is unplugged: the byte is lost */
        return;
}

/* Receives one byte in twice its time on the wire, as simavr's receiver ignores the double speed bit. */
static void receive(void)
{
    static avr_cycle_count_t received;
    unsigned char byte;
    if (avr->cycle - received < 2 * BYTE_CYCLES)
        return;
    received = avr->cycle;
    if (read(cable, &byte, 1) == 1)
        avr_raise_irq(rx, byte);
}

static void set_chain(const char *hex)
{
    unsigned byte;
    memset(stream, 0, sizeof stream);
    for (size_t i = 0; i < MAX_BYTES && sscanf(hex + 2 * i, "%2x", &byte) == 1; i++)
        stream[i] = byte;
}

static void execute(const char *line)
{
    if (!strncmp(line, "chain ", 6)) {
        set_chain(line + 6);
    } else if (!strcmp(line, "reset")) {
        avr_reset(avr);
    } else if (!strcmp(line, "hang")) {
        avr->data[SPCR] &= ~SPE;
    } else {
        fprintf(stderr, "expected chain, reset or hang, got %s\n", line);
        exit(1);
    }
    puts("ok");
    fflush(stdout);
}

static void read_commands(void)
{
    static char line[2 * MAX_BYTES + 16];
    static size_t length;
    char byte;
    ssize_t got;
    while ((got = read(STDIN_FILENO, &byte, 1)) == 1) {
        if (byte != '\n' && length < sizeof line - 1) {
            line[length++] = byte;
            continue;
        }
        line[length] = '\0';
        length = 0;
        execute(line);
    }
    if (got == 0)
        exit(0);
}

static double wall_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

/* simavr's sleep: skip the cycles at once. The main loop keeps the chip from running ahead of the clock. */
static void skip_sleep(avr_t *sleeping, avr_cycle_count_t cycles)
{
    (void)sleeping, (void)cycles;
}

static void power_up(const char *elf)
{
    elf_firmware_t firmware = {0};
    if (elf_read_firmware(elf, &firmware)) {
        fprintf(stderr, "expected the firmware, got nothing readable in %s\n", elf);
        exit(1);
    }
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    firmware.frequency = HERTZ;
    avr_load_firmware(avr, &firmware);
    avr->sleep = skip_sleep;
    avr->log = LOG_ERROR;
    uint32_t flags = 0; /* do not echo the bytes to our standard output, and do not sleep while flags are polled */
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    miso = avr_io_getirq(avr, AVR_IOCTL_SPI_GETIRQ(0), SPI_IRQ_INPUT);
    rx = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_SPI_GETIRQ(0), SPI_IRQ_OUTPUT), on_spi, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), LATCH), on_latch, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_tx, NULL);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: rig FIRMWARE.elf DESCRIPTOR\n");
        return 1;
    }
    cable = atoi(argv[2]);
    fcntl(cable, F_SETFL, O_NONBLOCK);
    fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
    power_up(argv[1]);
    double began_s = wall_s();
    for (;;) {
        read_commands();
        for (avr_cycle_count_t until = avr->cycle + HERTZ / 1000; avr->cycle < until;) {
            receive();
            int state = avr_run(avr);
            if (state == cpu_Done || state == cpu_Crashed) {
                fprintf(stderr, "expected the firmware to run, got state %d\n", state);
                return 1;
            }
        }
        double ahead_s = (double)avr->cycle / HERTZ - (wall_s() - began_s);
        if (ahead_s > 0)
            usleep(ahead_s * 1e6);
    }
}
