// Pins to feel beside every fifth hole of corners-61, and the template to drill their holes 4 mm deep.
// Made by `cribboard draw`. Millimetres.
width = 386.14;
height = 95.31;
corner = 6;
sheet = 1;
screw = 3.2;
shaft = 1.5;
pin_head = 2.2;
raised = 0.8;
deep = 4;
marks = [[78.46, 76.23], [134.34, 76.23], [190.22, 76.23], [246.1, 76.23], [301.98, 76.23], [357.86, 76.23], [317.22, 63.53], [261.34, 63.53], [205.46, 63.53], [149.58, 63.53], [93.7, 63.53], [37.82, 63.53], [78.46, 31.78], [134.34, 31.78], [190.22, 31.78], [246.1, 31.78], [301.98, 31.78], [357.86, 31.78], [317.22, 19.08], [261.34, 19.08], [205.46, 19.08], [149.58, 19.08], [93.7, 19.08], [37.82, 19.08]];
screws = [[6, 6], [193.07, 6], [380.14, 6], [6, 89.31], [193.07, 89.31], [380.14, 89.31]];

module slab(width, height, corner) {
  translate([corner, corner]) offset(r = corner)
    square([width - 2 * corner, height - 2 * corner]);
}
part = "pins"; // or "template": a sheet that the screws of the plate hold, with a hole for each pin
module pin() {
  cylinder(h = raised, d1 = pin_head, d2 = 0.7 * pin_head, $fn = 24);
  mirror([0, 0, 1]) cylinder(h = deep, d = shaft - 0.1, $fn = 16);
}
if (part == "pins") for (n = [0 : len(marks) - 1]) translate([5 * (n % 12), 5 * floor(n / 12), 0]) pin();
if (part == "template") linear_extrude(sheet) difference() {
  slab(width, height, corner);
  for (at = marks) translate(at) circle(d = shaft, $fn = 16);
  for (at = screws) translate(at) circle(d = screw, $fn = 32);
}
