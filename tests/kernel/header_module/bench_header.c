// SPDX-License-Identifier: GPL-2.0
/*
 * The header of a Raspberry Pi whose wires are handled by a program: 28 GPIO lines, SPI0 with two chip selects, I2C1.
 *
 * Above this module everything is the kernel's own: /dev/gpiochipN, /dev/spidev0.0, /dev/spidev0.1 and /dev/i2c-1. Each
 * operation on a wire is a request to the program that reads /dev/bench, one at a time, and the caller waits for the
 * response as it would for the bus. So a line that is driven has had its whole effect when the call returns.
 *
 * Both directions carry a `struct bench_message` and then `length` bytes.
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
/* Only ends a deadlock: a slow, busy computer may take long to answer, and a late answer is refused. */
#define BENCH_TIMEOUT (600 * HZ)

enum kind {
	DRIVE,	/* request: drive line `which` to `number`, or release it (BENCH_RELEASE) */
	PULL,	/* request: pull line `which` to `number`, or not at all (BENCH_RELEASE) */
	SELECT,	/* request: set chip select `which` of SPI0 to level `number` */
	CLOCK,	/* request: transfer these bytes on SPI0 at `number` Hz; the response has as many received bytes */
	SEND,	/* request: write these bytes to address `which` of I2C1 */
	FETCH,	/* request: read `number` bytes from address `which` of I2C1; the response has them */
	LEVEL,	/* from the program, at any time: line `which` is now at `number` */
	DONE,	/* from the program: the response; `number` is 0 or an errno */
};

#define BENCH_RELEASE 2

struct bench_message {
	u16 kind;
	u16 which;
	u32 number;
	u32 length;
};

struct bench_request {
	struct bench_message message;
	const void *out;
	void *in;
	u32 in_length;
	int status;
	bool is_read;
};

static char *label = "pinctrl-bcm2835";
module_param(label, charp, 0444);
MODULE_PARM_DESC(label, "label of the GPIO chip");

static struct gpio_chip chip;
static struct irq_domain *edges;
static u8 levels[LINES], is_out[LINES];

static DEFINE_MUTEX(call_lock);	/* one request at a time */
static DEFINE_MUTEX(waiting_lock);	/* guards the two below */
static struct bench_request *waiting;
static bool is_open;
static DECLARE_WAIT_QUEUE_HEAD(new_request);
static DECLARE_COMPLETION(responded);

static int call_bench(struct bench_request *request)
{
	request->status = -EREMOTEIO;
	mutex_lock(&call_lock);
	mutex_lock(&waiting_lock);
	reinit_completion(&responded);
	waiting = is_open ? request : NULL;
	mutex_unlock(&waiting_lock);
	if (waiting) {
		wake_up(&new_request);
		wait_for_completion_timeout(&responded, BENCH_TIMEOUT);
	}
	mutex_lock(&waiting_lock);
	waiting = NULL;
	mutex_unlock(&waiting_lock);
	mutex_unlock(&call_lock);
	return request->status;
}

static int call_with_number(enum kind kind, u16 which, u32 number)
{
	struct bench_request request = { .message = { .kind = kind, .which = which, .number = number } };

	return call_bench(&request);
}

/* GPIO lines */

static int line_get(struct gpio_chip *gc, unsigned int line)
{
	return READ_ONCE(levels[line]);
}

static void line_set(struct gpio_chip *gc, unsigned int line, int level)
{
	call_with_number(DRIVE, line, !!level);
}

static int line_output(struct gpio_chip *gc, unsigned int line, int level)
{
	is_out[line] = true;
	return call_with_number(DRIVE, line, !!level);
}

static int line_input(struct gpio_chip *gc, unsigned int line)
{
	is_out[line] = false;
	return call_with_number(DRIVE, line, BENCH_RELEASE);
}

static int line_direction(struct gpio_chip *gc, unsigned int line)
{
	return is_out[line] ? GPIO_LINE_DIRECTION_OUT : GPIO_LINE_DIRECTION_IN;
}

static int line_config(struct gpio_chip *gc, unsigned int line, unsigned long config)
{
	switch (pinconf_to_config_param(config)) {
	case PIN_CONFIG_BIAS_PULL_UP:
		return call_with_number(PULL, line, 1);
	case PIN_CONFIG_BIAS_PULL_DOWN:
		return call_with_number(PULL, line, 0);
	case PIN_CONFIG_BIAS_DISABLE:
		return call_with_number(PULL, line, BENCH_RELEASE);
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

static void line_changed(unsigned int line, bool level)
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

/* SPI0 */

static void spi_select(struct spi_device *spi, bool level)
{
	call_with_number(SELECT, spi->chip_select, level);
}

static int spi_clock(struct spi_controller *controller, struct spi_device *spi, struct spi_transfer *transfer)
{
	struct bench_request request = {
		.message = { .kind = CLOCK, .which = spi->chip_select, .number = transfer->speed_hz,
			     .length = transfer->len },
		.out = transfer->tx_buf,
		.in = transfer->rx_buf,
		.in_length = transfer->len,
	};

	return call_bench(&request);
}

static int add_spi(struct device *dev)
{
	struct spi_controller *controller = devm_spi_alloc_master(dev, 0);
	/* spidev accepts only devices with the name of a part that it knows; any of them will do. */
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

/* I2C1 */

static int i2c_message(const struct i2c_msg *message)
{
	bool is_read = message->flags & I2C_M_RD;
	struct bench_request request = {
		.message = { .kind = is_read ? FETCH : SEND, .which = message->addr, .number = message->len,
			     .length = is_read ? 0 : message->len },
		.out = message->buf,
		.in = message->buf,
		.in_length = is_read ? message->len : 0,
	};

	return call_bench(&request);
}

static int i2c_transfer_all(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	int i, status;

	for (i = 0; i < count; i++) {
		status = i2c_message(&messages[i]);
		if (status)
			return status;
	}
	return count;
}

static u32 i2c_functionality(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm i2c_operations = {
	.master_xfer = i2c_transfer_all,
	.functionality = i2c_functionality,
};
static struct i2c_adapter i2c1 = { .owner = THIS_MODULE, .algo = &i2c_operations, .nr = 1, .name = "bench I2C1" };

/* /dev/bench */

static int bench_open(struct inode *inode, struct file *file)
{
	int status = -EBUSY;

	mutex_lock(&waiting_lock);
	if (!is_open) {
		is_open = true;
		status = 0;
	}
	mutex_unlock(&waiting_lock);
	return status;
}

static int bench_release(struct inode *inode, struct file *file)
{
	mutex_lock(&waiting_lock);
	is_open = false;
	if (waiting)
		complete(&responded);
	mutex_unlock(&waiting_lock);
	return 0;
}

static ssize_t bench_read(struct file *file, char __user *to, size_t size, loff_t *offset)
{
	ssize_t read = 0;

	while (!read) {
		if (wait_event_interruptible(new_request, waiting && !waiting->is_read))
			return -ERESTARTSYS;
		mutex_lock(&waiting_lock);
		if (waiting && !waiting->is_read) {
			waiting->is_read = true;
			read = sizeof(waiting->message) + waiting->message.length;
			if (size < read)
				read = -EMSGSIZE;
			else if (copy_to_user(to, &waiting->message, sizeof(waiting->message)) ||
				 copy_to_user(to + sizeof(waiting->message), waiting->out, waiting->message.length))
				read = -EFAULT;
		}
		mutex_unlock(&waiting_lock);
	}
	return read;
}

static int bench_respond(const struct bench_message *message, const char __user *bytes)
{
	int status = 0;

	mutex_lock(&waiting_lock);
	if (!waiting || !waiting->is_read || (message->number == 0 && message->length != waiting->in_length))
		status = -EINVAL;
	else if (message->number == 0 && copy_from_user(waiting->in, bytes, message->length))
		status = -EFAULT;
	if (!status) {
		waiting->status = -(int)message->number;
		complete(&responded);
	}
	mutex_unlock(&waiting_lock);
	return status;
}

static ssize_t bench_write(struct file *file, const char __user *from, size_t size, loff_t *offset)
{
	struct bench_message message;
	int status = -EINVAL;

	if (size < sizeof(message) || copy_from_user(&message, from, sizeof(message)))
		return -EFAULT;
	if (size != sizeof(message) + message.length)
		return -EINVAL;
	if (message.kind == DONE) {
		status = bench_respond(&message, from + sizeof(message));
	} else if (message.kind == LEVEL && message.which < LINES) {
		line_changed(message.which, message.number);
		status = 0;
	}
	return status ? status : size;
}

static const struct file_operations bench_operations = {
	.owner = THIS_MODULE,
	.open = bench_open,
	.release = bench_release,
	.read = bench_read,
	.write = bench_write,
};
static struct miscdevice bench = { .minor = MISC_DYNAMIC_MINOR, .name = "bench", .fops = &bench_operations };

/* There is no cleanup: the guest ends with its test. */
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

MODULE_DESCRIPTION("A Pi's header whose wires are handled by a program");
MODULE_LICENSE("GPL");
