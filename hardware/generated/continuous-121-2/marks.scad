// Pins to feel beside every fifth hole of continuous-121-2, and the template to drill their holes 4 mm deep.
// Made by `cribboard draw`. Millimetres.
width = 403.92;
height = 170.24;
corner = 6;
sheet = 1;
screw = 3.2;
shaft = 1.5;
pin_head = 2.2;
raised = 0.8;
deep = 4;
marks = [[114.02, 14], [169.9, 14], [225.78, 14], [281.66, 14], [337.54, 14], [393.42, 14], [114.02, 29.24], [169.9, 29.24], [225.78, 29.24], [281.66, 29.24], [337.54, 29.24], [393.42, 29.24], [73.38, 52.1], [129.26, 52.1], [185.14, 52.1], [241.02, 52.1], [296.9, 52.1], [352.78, 52.1], [73.38, 67.34], [129.26, 67.34], [185.14, 67.34], [241.02, 67.34], [296.9, 67.34], [352.78, 67.34], [114.02, 90.2], [169.9, 90.2], [225.78, 90.2], [281.66, 90.2], [337.54, 90.2], [393.42, 90.2], [114.02, 105.44], [169.9, 105.44], [225.78, 105.44], [281.66, 105.44], [337.54, 105.44], [393.42, 105.44], [73.38, 128.3], [129.26, 128.3], [185.14, 128.3], [241.02, 128.3], [296.9, 128.3], [352.78, 128.3], [73.38, 143.54], [129.26, 143.54], [185.14, 143.54], [241.02, 143.54], [296.9, 143.54], [352.78, 143.54]];
screws = [[6, 6], [201.96, 6], [397.92, 6], [6, 164.24], [201.96, 164.24], [397.92, 164.24]];

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
