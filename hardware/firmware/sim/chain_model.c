/* The chain of strips at an emulated chip. There is no model of its chips here: the bytes that they shift out after a
 * latch are given by a command.
 *
 *     chain BFBF...00   the bytes, nearest strip first; zeros follow
 *     hang              switch the SPI unit off, so that the firmware waits for ever
 */
#include <stdio.h>
#include <string.h>

#include <avr_ioport.h>
#include <avr_spi.h>

#include "rig.h"

#define SPCR 0x4C
#define SPE 0x40
#define MODE_BITS 0x0C /* CPOL and CPHA: both 0 is mode 0 */
#define LATCH 1        /* PB1 */
#define MAX_BYTES 256

static avr_t *avr;
static avr_irq_t *miso;
static unsigned char stream[MAX_BYTES];
static size_t at;
static int latch = 1;

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
    if (avr->data[SPCR] & MODE_BITS)
        rig_fail("expected SPI mode 0, got SPCR %02x", avr->data[SPCR]);
    if (!latch)
        avr_raise_irq(miso, stream[0] & 0x80 ? 0xFF : 0);
    else
        avr_raise_irq(miso, at < MAX_BYTES ? stream[at++] : 0);
}

static void set_chain(const char *hex)
{
    unsigned byte;
    memset(stream, 0, sizeof stream);
    for (size_t i = 0; i < MAX_BYTES && sscanf(hex + 2 * i, "%2x", &byte) == 1; i++)
        stream[i] = byte;
}

bool model_execute(const char *line)
{
    if (!strncmp(line, "chain ", 6))
        set_chain(line + 6);
    else if (!strcmp(line, "hang"))
        avr->data[SPCR] &= ~SPE;
    else
        return false;
    return true;
}

void model_reset(void) {}

void model_received(void) {}

void model_attach(avr_t *chip)
{
    avr = chip;
    miso = avr_io_getirq(avr, AVR_IOCTL_SPI_GETIRQ(0), SPI_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_SPI_GETIRQ(0), SPI_IRQ_OUTPUT), on_spi, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), LATCH), on_latch, NULL);
}
