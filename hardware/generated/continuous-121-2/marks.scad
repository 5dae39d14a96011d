// Pins to feel beside every fifth hole of continuous-121-2, and the template to drill their holes 4 mm deep.
// Made by `cribboard draw`. Millimetres.
width = 403.92;
height = 153.73;
corner = 6;
sheet = 1;
screw = 3.2;
shaft = 1.5;
pin_head = 2.2;
raised = 0.8;
deep = 4;
marks = [[114.02, 14], [169.9, 14], [225.78, 14], [281.66, 14], [337.54, 14], [393.42, 14], [114.02, 26.7], [169.9, 26.7], [225.78, 26.7], [281.66, 26.7], [337.54, 26.7], [393.42, 26.7], [73.38, 47.02], [129.26, 47.02], [185.14, 47.02], [241.02, 47.02], [296.9, 47.02], [352.78, 47.02], [73.38, 59.72], [129.26, 59.72], [185.14, 59.72], [241.02, 59.72], [296.9, 59.72], [352.78, 59.72], [114.02, 80.04], [169.9, 80.04], [225.78, 80.04], [281.66, 80.04], [337.54, 80.04], [393.42, 80.04], [114.02, 92.74], [169.9, 92.74], [225.78, 92.74], [281.66, 92.74], [337.54, 92.74], [393.42, 92.74], [73.38, 113.06], [129.26, 113.06], [185.14, 113.06], [241.02, 113.06], [296.9, 113.06], [352.78, 113.06], [73.38, 125.76], [129.26, 125.76], [185.14, 125.76], [241.02, 125.76], [296.9, 125.76], [352.78, 125.76]];
screws = [[6, 6], [201.96, 6], [397.92, 6], [6, 147.73], [201.96, 147.73], [397.92, 147.73]];

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
