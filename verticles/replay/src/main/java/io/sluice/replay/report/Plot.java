package io.sluice.replay.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.Point;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;

/** A picture with one or more charts, each with a title and two axes from zero. It needs no display. */
final class Plot {
    static final Color DEMAND = new Color(0xd17a17);
    static final Color SIZE = new Color(0x2f77a3);
    static final Color BASE = new Color(0x7a54c7);
    static final Color GOOD = new Color(0x1d7450);

    private static final Color INK = new Color(0x17212d);
    private static final Color MUTED = new Color(0x586678);
    private static final Color LINE = new Color(0xe0e5eb);
    private static final int LEFT = 64;
    private static final int RIGHT = 20;
    private static final int TOP = 34;
    private static final int BOTTOM = 44;
    private static final int TICKS = 5;
    private static final double RADIUS = 6;
    private static final int NEAR = 130;
    private static final int LINE_HEIGHT = 16;

    private final BufferedImage image;
    private final Graphics2D graphics;
    private final List<Point> named = new ArrayList<>();
    private int x;
    private int y;
    private int width;
    private int height;
    private double mostX = 1;
    private double mostY = 1;

    Plot(int width, int height) {
        image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, width, height);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
    }

    /** Begins a chart in a part of the picture. */
    void chart(int fromX, int fromY, int ofWidth, int ofHeight, String title) {
        x = fromX + LEFT;
        y = fromY + TOP;
        width = ofWidth - LEFT - RIGHT;
        height = ofHeight - TOP - BOTTOM;
        graphics.setColor(INK);
        graphics.drawString(title, fromX + 12, fromY + 20);
    }

    /** Its axes from zero, with their words. */
    void axes(double toX, String wordsX, double toY, String wordsY) {
        mostX = toX;
        mostY = toY;
        int ticksX = toX % (TICKS + 1) == 0 ? TICKS + 1 : TICKS;
        for (int tick = 0; tick <= ticksX; tick++) {
            double part = (double) tick / ticksX;
            int atX = (int) (x + part * width);
            graphics.setColor(LINE);
            graphics.drawLine(atX, y, atX, y + height);
            graphics.setColor(MUTED);
            centred(text(part * mostX), atX, y + height + 16);
        }
        for (int tick = 0; tick <= TICKS; tick++) {
            double part = (double) tick / TICKS;
            int atY = (int) (y + height - part * height);
            graphics.setColor(LINE);
            graphics.drawLine(x, atY, x + width, atY);
            graphics.setColor(MUTED);
            var label = text(part * mostY);
            graphics.drawString(label, x - 8 - graphics.getFontMetrics().stringWidth(label), atY + 4);
        }
        centred(wordsX, x + width / 2, y + height + 34);
        int wide = graphics.getFontMetrics().stringWidth(wordsY);
        graphics.drawString(wordsY, x + width - wide, y - 14);
    }

    /** 1, 2, 2.5 or 5 times a power of ten, at or above a value. */
    static double round(double value) {
        if (value <= 0) {
            return 1;
        }
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        for (double step : new double[] {1, 2, 2.5, 5}) {
            if (step * power >= value) {
                return step * power;
            }
        }
        return 10 * power;
    }

    private static String text(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,d", (long) value)
                : String.format(Locale.ROOT, value < 1 ? "%.3f" : "%.1f", value);
    }

    private void centred(String text, int atX, int atY) {
        graphics.drawString(text, atX - graphics.getFontMetrics().stringWidth(text) / 2, atY);
    }

    /** Values at equal distances, as steps. */
    void steps(double[] values, double stepX, Color colour) {
        var path = new Path2D.Double();
        for (int i = 0; i < values.length; i++) {
            double from = x + i * stepX / mostX * width;
            double to = x + (i + 1) * stepX / mostX * width;
            double at = atY(values[i]);
            if (i == 0) {
                path.moveTo(from, at);
            } else {
                path.lineTo(from, at);
            }
            path.lineTo(to, at);
        }
        graphics.setColor(colour);
        graphics.setStroke(new BasicStroke(1.3f));
        graphics.draw(path);
    }

    private double atY(double value) {
        return y + height - value / mostY * height;
    }

    /** A point with its name, which is below those that were written near it. */
    void point(double atX, double value, String name, Color colour) {
        double px = x + atX / mostX * width;
        double py = atY(value);
        graphics.setColor(colour);
        graphics.fill(new Ellipse2D.Double(px - RADIUS, py - RADIUS, 2 * RADIUS, 2 * RADIUS));
        graphics.setColor(INK);
        int wide = graphics.getFontMetrics().stringWidth(name);
        boolean left = px + wide + 14 > x + width;
        var at = new Point((int) (left ? px - wide - 10 : px + 10), (int) py + 5);
        for (var before : named) {
            if (Math.abs(before.x - at.x) < NEAR && Math.abs(before.y - at.y) < LINE_HEIGHT) {
                at.y = before.y + LINE_HEIGHT;
            }
        }
        named.add(at);
        graphics.drawString(name, at.x, at.y);
    }

    /** A word of a legend in its colour; returns where the next one begins. */
    int legend(String word, int fromX, int atY, Color colour) {
        graphics.setColor(colour);
        graphics.fillRect(fromX, atY - 6, 14, 4);
        graphics.setColor(MUTED);
        graphics.drawString(word, fromX + 18, atY);
        return fromX + 36 + graphics.getFontMetrics().stringWidth(word);
    }

    /** A cell of a map of so many columns and rows. */
    void cell(int column, int columns, int row, int rows, double share) {
        int fromX = x + column * width / columns;
        int toX = x + (column + 1) * width / columns;
        int fromY = y + row * height / rows;
        int toY = y + (row + 1) * height / rows;
        int alpha = (int) (255 * (0.2 + 0.8 * share));
        graphics.setColor(new Color(SIZE.getRed(), SIZE.getGreen(), SIZE.getBlue(), alpha));
        graphics.fillRect(fromX, fromY, Math.max(1, toX - fromX), Math.max(1, toY - fromY));
    }

    void write(Path file) throws IOException {
        graphics.dispose();
        if (!ImageIO.write(image, "png", file.toFile())) {
            throw new IOException("this Java writes no PNG");
        }
    }
}
