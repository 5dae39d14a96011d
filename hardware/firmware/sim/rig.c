/* An emulated ATmega328P that runs a scanner's firmware in real time, connected to a model of its board. Each line on
 * standard input is a command, of this file or of the model:
 *
 *     reset   reset the chip, as its button does, or the host that opens the port
 *     stack   print the most bytes that the stack has had
 *
 * It answers each line with "ok". argv: the firmware's ELF, and the file descriptor of the serial cable.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <avr_uart.h>
#include <sim_elf.h>

#include "rig.h"

#define BYTE_CYCLES (HERTZ / 115200 * 10)
#define MAX_LINE 1024

static avr_t *avr;
static avr_irq_t *rx;
static avr_uart_t *uart;
static int cable;
static unsigned deepest_stack;

void rig_fail(const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    vfprintf(stderr, format, rest);
    va_end(rest);
    fputc('\n', stderr);
    exit(1);
}

static void on_tx(struct avr_irq_t *irq, uint32_t byte, void *unused)
{
    (void)irq, (void)unused;
    unsigned char sent = byte;
    if (write(cable, &sent, 1) < 0 && errno != EAGAIN) /* the cable is unplugged: the byte is lost */
        return;
}

/* Receives one byte in its time on the wire; simavr itself ignores the double speed bit. */
static void receive(void)
{
    static avr_cycle_count_t received;
    unsigned char byte;
    if (avr->cycle - received < BYTE_CYCLES)
        return;
    received = avr->cycle;
    uart->cycles_per_byte = BYTE_CYCLES;
    if (read(cable, &byte, 1) == 1) {
        avr_raise_irq(rx, byte);
        model_received();
    }
}

/* The stack grows down from the end of the memory. While the chip starts its pointer is 0. */
static void watch_stack(void)
{
    unsigned pointer = avr->data[R_SPL] | avr->data[R_SPH] << 8;
    if (pointer && avr->ramend - pointer > deepest_stack)
        deepest_stack = avr->ramend - pointer;
}

static void execute(const char *line)
{
    if (!strcmp(line, "reset")) {
        avr_reset(avr);
        model_reset();
    } else if (!strcmp(line, "stack")) {
        printf("%u\n", deepest_stack);
    } else if (!model_execute(line))
        rig_fail("expected a command of the rig or its model, got %s", line);
    puts("ok");
    fflush(stdout);
}

static void read_commands(void)
{
    static char line[MAX_LINE];
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

static avr_uart_t *find_uart(void)
{
    avr_io_t *port = avr->io_port;
    while (port && strcmp(port->kind, "uart"))
        port = port->next;
    if (!port)
        rig_fail("expected a serial port in the chip, got none");
    return (avr_uart_t *)port;
}

static void power_up(const char *elf)
{
    elf_firmware_t firmware = {0};
    if (elf_read_firmware(elf, &firmware))
        rig_fail("expected the firmware, got nothing readable in %s", elf);
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    firmware.frequency = HERTZ;
    avr_load_firmware(avr, &firmware);
    avr->sleep = skip_sleep;
    avr->log = LOG_ERROR;
    avr->vcc = avr->avcc = avr->aref = 5000;
    uint32_t flags = 0; /* do not echo the bytes to our standard output, and do not sleep while flags are polled */
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    uart = find_uart();
    rx = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_tx, NULL);
    model_attach(avr);
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
            watch_stack();
            if (state == cpu_Done || state == cpu_Crashed)
                rig_fail("expected the firmware to run, got state %d", state);
        }
        double ahead_s = (double)avr->cycle / HERTZ - (wall_s() - began_s);
        if (ahead_s > 0)
            usleep(ahead_s * 1e6);
    }
}
