package io.sluice.launcher;

/**
 * Section {@code demo}: how the demo ends.
 *
 * @param seconds since the JVM's start, after which it ends with a summary; 0 lets it run until it is stopped
 */
public record DemoConfig(int seconds) {
    /** Until it is stopped. */
    public static final DemoConfig DEFAULTS = new DemoConfig(0);

    private static final int DAY = 86_400;

    public DemoConfig {
        if (seconds < 0 || seconds > DAY) {
            throw new IllegalArgumentException("demo.seconds=" + seconds + " must be 0 to " + DAY);
        }
    }
}
