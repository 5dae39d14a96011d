// Pins to feel beside every fifth hole of continuous-121-2, and the template to drill their holes 4 mm deep.
// Made by `cribboard draw`. Millimetres.
width = 411.92;
height = 178.24;
corner = 6;
sheet = 1;
screw = 3.2;
shaft = 1.5;
pin_head = 2.2;
raised = 0.8;
deep = 4;
marks = [[118.02, 18], [173.9, 18], [229.78, 18], [285.66, 18], [341.54, 18], [397.42, 18], [118.02, 33.24], [173.9, 33.24], [229.78, 33.24], [285.66, 33.24], [341.54, 33.24], [397.42, 33.24], [77.38, 56.1], [133.26, 56.1], [189.14, 56.1], [245.02, 56.1], [300.9, 56.1], [356.78, 56.1], [77.38, 71.34], [133.26, 71.34], [189.14, 71.34], [245.02, 71.34], [300.9, 71.34], [356.78, 71.34], [118.02, 94.2], [173.9, 94.2], [229.78, 94.2], [285.66, 94.2], [341.54, 94.2], [397.42, 94.2], [118.02, 109.44], [173.9, 109.44], [229.78, 109.44], [285.66, 109.44], [341.54, 109.44], [397.42, 109.44], [77.38, 132.3], [133.26, 132.3], [189.14, 132.3], [245.02, 132.3], [300.9, 132.3], [356.78, 132.3], [77.38, 147.54], [133.26, 147.54], [189.14, 147.54], [245.02, 147.54], [300.9, 147.54], [356.78, 147.54]];
screws = [[6, 6], [205.96, 6], [405.92, 6], [6, 172.24], [205.96, 172.24], [405.92, 172.24]];

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
