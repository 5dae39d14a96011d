// SPDX-License-Identifier: GPL-2.0
/*
 * The header of a Raspberry Pi whose wires end in a program: 28 GPIO lines, SPI0 with two chip selects, and I2C1.
 *
 * Above it everything is the kernel's own: /dev/gpiochipN, /dev/spidev0.0, /dev/spidev0.1 and /dev/i2c-1. Below it,
 * whoever reads /dev/bench is asked what the wires do, one question at a time, and the caller waits for the answer as
 * it would for the bus. So a line that is driven has had its whole effect when the call returns, as with real wires.
 *
 * Both directions carry a `struct note` and then `length` bytes.
 */
#include <linux/completion.h>
#include <linux/gpio/driver.h>
#include <linux/i2c.h>
#include <linux/irq.h>
#include <linux/irq_sim.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/spi/spi.h>
#include <linux/uaccess.h>

#define LINES 28
#define SELECTS 2
#define PATIENCE (10 * HZ)

enum kind {
	DRIVE,	/* asked: line `which` is driven to `number`, or let go (LET_GO) */
	PULL,	/* asked: line `which` is pulled to `number`, or not at all (LET_GO) */
	SELECT,	/* asked: chip select `which` of SPI0 goes to level `number` */
	CLOCK,	/* asked: SPI0 at `number` Hz clocks these bytes out; answered with as many that came in */
	SEND,	/* asked: these bytes go to address `which` of I2C1 */
	FETCH,	/* asked: `number` bytes from address `which` of I2C1; answered with them */
	LEVEL,	/* told at any time: line `which` is now at `number` */
	DONE,	/* told: the answer; `number` is 0 or an errno */
};

#define LET_GO 2

struct note {
	u16 kind;
	u16 which;
	u32 number;
	u32 length;
};

struct question {
	struct note note;
	const void *out;
	void *in;
	u32 in_length;
	int status;
	bool is_heard;
};

static char *label = "pinctrl-bcm2835";
module_param(label, charp, 0444);
MODULE_PARM_DESC(label, "how the GPIO chip calls itself");

static struct gpio_chip chip;
static struct irq_domain *edges;
static u8 levels[LINES], is_out[LINES];

static DEFINE_MUTEX(asking);	/* one question at a time */
static DEFINE_MUTEX(desk);	/* guards the two below */
static struct question *asked;
static bool is_open;
static DECLARE_WAIT_QUEUE_HEAD(news);
static DECLARE_COMPLETION(answered);

static int ask(struct question *question)
{
	question->status = -EREMOTEIO;
	mutex_lock(&asking);
	mutex_lock(&desk);
	reinit_completion(&answered);
	asked = is_open ? question : NULL;
	mutex_unlock(&desk);
	if (asked) {
		wake_up(&news);
		wait_for_completion_timeout(&answered, PATIENCE);
	}
	mutex_lock(&desk);
	asked = NULL;
	mutex_unlock(&desk);
	mutex_unlock(&asking);
	return question->status;
}

static int ask_number(enum kind kind, u16 which, u32 number)
{
	struct question question = { .note = { .kind = kind, .which = which, .number = number } };

	return ask(&question);
}

/* The lines. */

static int line_get(struct gpio_chip *gc, unsigned int line)
{
	return READ_ONCE(levels[line]);
}

static void line_set(struct gpio_chip *gc, unsigned int line, int level)
{
	ask_number(DRIVE, line, !!level);
}

static int line_output(struct gpio_chip *gc, unsigned int line, int level)
{
	is_out[line] = true;
	return ask_number(DRIVE, line, !!level);
}

static int line_input(struct gpio_chip *gc, unsigned int line)
{
	is_out[line] = false;
	return ask_number(DRIVE, line, LET_GO);
}

static int line_direction(struct gpio_chip *gc, unsigned int line)
{
	return is_out[line] ? GPIO_LINE_DIRECTION_OUT : GPIO_LINE_DIRECTION_IN;
}

static int line_config(struct gpio_chip *gc, unsigned int line, unsigned long config)
{
	switch (pinconf_to_config_param(config)) {
	case PIN_CONFIG_BIAS_PULL_UP:
		return ask_number(PULL, line, 1);
	case PIN_CONFIG_BIAS_PULL_DOWN:
		return ask_number(PULL, line, 0);
	case PIN_CONFIG_BIAS_DISABLE:
		return ask_number(PULL, line, LET_GO);
	default:
		return -ENOTSUPP;
	}
}

static int line_irq(struct gpio_chip *gc, unsigned int line)
{
	return irq_create_mapping(edges, line);
}

static void line_free(struct gpio_chip *gc, unsigned int line)
{
	irq_dispose_mapping(irq_find_mapping(edges, line));
	line_input(gc, line);
}

static void line_became(unsigned int line, bool level)
{
	int irq = irq_find_mapping(edges, line);
	bool is_edge = levels[line] != level;

	WRITE_ONCE(levels[line], level);
	if (irq && is_edge && irq_get_trigger_type(irq) & (level ? IRQ_TYPE_EDGE_RISING : IRQ_TYPE_EDGE_FALLING))
		irq_set_irqchip_state(irq, IRQCHIP_STATE_PENDING, true);
}

static int add_lines(struct device *dev)
{
	edges = devm_irq_domain_create_sim(dev, NULL, LINES);
	if (IS_ERR(edges))
		return PTR_ERR(edges);
	chip = (struct gpio_chip){
		.label = label,
		.parent = dev,
		.owner = THIS_MODULE,
		.base = -1,
		.ngpio = LINES,
		.can_sleep = true,
		.get = line_get,
		.set = line_set,
		.direction_input = line_input,
		.direction_output = line_output,
		.get_direction = line_direction,
		.set_config = line_config,
		.to_irq = line_irq,
		.free = line_free,
	};
	return devm_gpiochip_add_data(dev, &chip, NULL);
}

/* SPI0. */

static void spi_select(struct spi_device *spi, bool level)
{
	ask_number(SELECT, spi->chip_select, level);
}

static int spi_clock(struct spi_controller *controller, struct spi_device *spi, struct spi_transfer *transfer)
{
	struct question question = {
		.note = { .kind = CLOCK, .which = spi->chip_select, .number = transfer->speed_hz, .length = transfer->len },
		.out = transfer->tx_buf,
		.in = transfer->rx_buf,
		.in_length = transfer->len,
	};

	return ask(&question);
}

static int add_spi(struct device *dev)
{
	struct spi_controller *controller = devm_spi_alloc_master(dev, 0);
	/* spidev takes only devices named like a part it knows; it makes no difference which. */
	struct spi_board_info part = { .modalias = "dh2228fv", .max_speed_hz = 125000000 };
	int status;

	if (!controller)
		return -ENOMEM;
	controller->bus_num = 0;
	controller->num_chipselect = SELECTS;
	controller->mode_bits = SPI_CPOL | SPI_CPHA;
	controller->flags = SPI_CONTROLLER_MUST_TX | SPI_CONTROLLER_MUST_RX;
	controller->set_cs = spi_select;
	controller->transfer_one = spi_clock;
	status = devm_spi_register_controller(dev, controller);
	for (; !status && part.chip_select < SELECTS; part.chip_select++)
		status = spi_new_device(controller, &part) ? 0 : -ENODEV;
	return status;
}

/* I2C1. */

static int i2c_ask(const struct i2c_msg *message)
{
	bool is_read = message->flags & I2C_M_RD;
	struct question question = {
		.note = { .kind = is_read ? FETCH : SEND, .which = message->addr, .number = message->len,
			  .length = is_read ? 0 : message->len },
		.out = message->buf,
		.in = message->buf,
		.in_length = is_read ? message->len : 0,
	};

	return ask(&question);
}

static int i2c_transfer_all(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	int i, status;

	for (i = 0; i < count; i++) {
		status = i2c_ask(&messages[i]);
		if (status)
			return status;
	}
	return count;
}

static u32 i2c_can(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm i2c_ways = { .master_xfer = i2c_transfer_all, .functionality = i2c_can };
static struct i2c_adapter i2c1 = { .owner = THIS_MODULE, .algo = &i2c_ways, .nr = 1, .name = "bench I2C1" };

/* The bench. */

static int bench_open(struct inode *inode, struct file *file)
{
	int status = -EBUSY;

	mutex_lock(&desk);
	if (!is_open) {
		is_open = true;
		status = 0;
	}
	mutex_unlock(&desk);
	return status;
}

static int bench_release(struct inode *inode, struct file *file)
{
	mutex_lock(&desk);
	is_open = false;
	if (asked)
		complete(&answered);
	mutex_unlock(&desk);
	return 0;
}

static ssize_t bench_read(struct file *file, char __user *to, size_t room, loff_t *offset)
{
	ssize_t read = 0;

	while (!read) {
		if (wait_event_interruptible(news, asked && !asked->is_heard))
			return -ERESTARTSYS;
		mutex_lock(&desk);
		if (asked && !asked->is_heard) {
			asked->is_heard = true;
			read = sizeof(asked->note) + asked->note.length;
			if (room < read)
				read = -EMSGSIZE;
			else if (copy_to_user(to, &asked->note, sizeof(asked->note)) ||
				 copy_to_user(to + sizeof(asked->note), asked->out, asked->note.length))
				read = -EFAULT;
		}
		mutex_unlock(&desk);
	}
	return read;
}

static int bench_answer(const struct note *note, const char __user *bytes)
{
	int status = 0;

	mutex_lock(&desk);
	if (!asked || !asked->is_heard || (note->number == 0 && note->length != asked->in_length))
		status = -EINVAL;
	else if (note->number == 0 && copy_from_user(asked->in, bytes, note->length))
		status = -EFAULT;
	if (!status) {
		asked->status = -(int)note->number;
		complete(&answered);
	}
	mutex_unlock(&desk);
	return status;
}

static ssize_t bench_write(struct file *file, const char __user *from, size_t size, loff_t *offset)
{
	struct note note;
	int status = -EINVAL;

	if (size < sizeof(note) || copy_from_user(&note, from, sizeof(note)))
		return -EFAULT;
	if (size != sizeof(note) + note.length)
		return -EINVAL;
	if (note.kind == DONE) {
		status = bench_answer(&note, from + sizeof(note));
	} else if (note.kind == LEVEL && note.which < LINES) {
		line_became(note.which, note.number);
		status = 0;
	}
	return status ? status : size;
}

static const struct file_operations bench_ways = {
	.owner = THIS_MODULE,
	.open = bench_open,
	.release = bench_release,
	.read = bench_read,
	.write = bench_write,
};
static struct miscdevice bench = { .minor = MISC_DYNAMIC_MINOR, .name = "bench", .fops = &bench_ways };

/* Nothing is ever taken down: the guest that holds it ends with its test. */
static int __init bench_init(void)
{
	struct platform_device *header = platform_device_register_simple("bench-header", -1, NULL, 0);
	int status = PTR_ERR_OR_ZERO(header);

	status = status ?: add_lines(&header->dev);
	status = status ?: add_spi(&header->dev);
	i2c1.dev.parent = &header->dev;
	status = status ?: i2c_add_numbered_adapter(&i2c1);
	return status ?: misc_register(&bench);
}
module_init(bench_init);

MODULE_DESCRIPTION("A Pi's header whose wires end in a program");
MODULE_LICENSE("GPL");
