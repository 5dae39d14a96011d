// Caps for the keys, with raised marks: print them flat, and glue each in the middle of its key.
// Made by `cribboard draw`. Millimetres.
width = 13.84;
height = 13.84;
corner = 2;
thickness = 1.6;
dot = 1.6;
raised = 0.6;
ring = 7;
caps = [[8.65, 67.288], [25.95, 67.288], [43.25, 67.288], [60.55, 67.288], [8.65, 48.062], [25.95, 48.062], [43.25, 48.062], [60.55, 48.062], [8.65, 28.838], [25.95, 28.838], [43.25, 28.838], [60.55, 28.838], [8.65, 9.612], [25.95, 9.612], [43.25, 9.612], [60.55, 9.612]];
dots = [[7.4, 69.788], [24.7, 69.788], [24.7, 67.288], [42, 69.788], [44.5, 69.788], [59.3, 67.288], [61.8, 69.788], [61.8, 67.288], [7.4, 50.562], [9.9, 50.562], [9.9, 48.062], [24.7, 50.562], [27.2, 48.062], [42, 50.562], [42, 48.062], [44.5, 50.562], [59.3, 50.562], [59.3, 48.062], [59.3, 45.562], [61.8, 50.562], [61.8, 48.062], [7.4, 31.338], [7.4, 28.838], [9.9, 31.338], [9.9, 28.838], [24.7, 31.338], [24.7, 28.838], [27.2, 28.838], [42, 28.838], [44.5, 31.338], [59.3, 31.338], [59.3, 26.338], [21.7, 12.112], [27.7, 9.612], [30.2, 12.112], [30.2, 9.612]];
bars = [[8.65, 9.612, 9, 1.6], [58.55, 9.612, 1.6, 9], [62.55, 9.612, 1.6, 9]];
rings = [[43.25, 9.612]];

module slab(width, height, corner) {
  translate([corner, corner]) offset(r = corner)
    square([width - 2 * corner, height - 2 * corner]);
}
for (at = caps) translate([at[0] - width / 2, at[1] - height / 2]) linear_extrude(thickness)
  slab(width, height, corner);
for (at = dots) translate([at[0], at[1], thickness - 0.1]) cylinder(h = raised + 0.1, d1 = dot, d2 = dot / 2, $fn = 16);
for (at = bars) translate([at[0] - at[2] / 2, at[1] - at[3] / 2, thickness - 0.1]) cube([at[2], at[3], raised + 0.1]);
for (at = rings) translate([at[0], at[1], thickness - 0.1]) linear_extrude(raised + 0.1) difference() {
  circle(d = ring, $fn = 32);
  circle(d = ring - 3, $fn = 32);
}
