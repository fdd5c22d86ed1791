package io.sluice.bench.placement;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A drawing of what is allocated as tasks arrive. */
final class OpenbPlot {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 420;
    private static final int LEFT = 60;
    private static final int BOTTOM = 370;
    private static final int FROM = 80;
    private static final int ALLOCATED_FROM = 80;
    private static final int ALLOCATED_TO = 97;
    private static final double PER_ARRIVAL = 12;
    private static final double PER_ALLOCATED = 20;
    private static final List<String> COLOURS = List.of("#0b5fa5", "#d1495b", "#edae49", "#66a182", "#8d6a9f");

    private OpenbPlot() {}

    /** The share that is allocated after each percent of arrivals, by the name of the score. */
    static String svg(Map<String, double[]> curves) {
        var svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                        + " font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                WIDTH,
                HEIGHT));
        for (int allocated = ALLOCATED_FROM; allocated <= ALLOCATED_TO; allocated += 5) {
            line(svg, x(FROM), y(allocated), x(130), y(allocated));
            text(svg, LEFT - 30, y(allocated) + 4, allocated + " %");
        }
        for (int arrived = FROM; arrived <= 130; arrived += 10) {
            text(svg, x(arrived) - 12, BOTTOM + 18, arrived + " %");
        }
        text(svg, x(95), BOTTOM + 38, "requested, of all GPUs");
        text(svg, LEFT - 40, 18, "allocated, of all GPUs");
        int number = 0;
        for (var curve : curves.entrySet()) {
            var colour = COLOURS.get(number % COLOURS.size());
            var points = new StringBuilder();
            for (int arrived = FROM; arrived < curve.getValue().length; arrived++) {
                double allocated = 100 * curve.getValue()[arrived];
                if (allocated >= ALLOCATED_FROM) {
                    points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(arrived), y(allocated)));
                }
            }
            svg.append(String.format(
                    "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>%n",
                    colour, points.toString().strip()));
            svg.append(String.format(
                    "<text x=\"540\" y=\"%d\" fill=\"%s\">%s</text>%n", 250 + 20 * number++, colour, curve.getKey()));
        }
        return svg.append("</svg>\n").toString();
    }

    private static double x(double arrived) {
        return LEFT + (arrived - FROM) * PER_ARRIVAL;
    }

    private static double y(double allocated) {
        return BOTTOM - (allocated - ALLOCATED_FROM) * PER_ALLOCATED;
    }

    private static void line(StringBuilder svg, double x1, double y1, double x2, double y2) {
        svg.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>%n",
                x1,
                y1,
                x2,
                y2));
    }

    private static void text(StringBuilder svg, double x, double y, String text) {
        svg.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\">%s</text>%n", x, y, text));
    }
}
