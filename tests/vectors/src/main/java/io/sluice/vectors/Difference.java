package io.sluice.vectors;

/**
 * One result that differs from the recorded one.
 *
 * @param file the recording
 * @param place the place in it: history and command, or line
 * @param key the key of the result
 * @param expected the recorded value; {@code absent} if the key does not exist
 * @param got the value of Sluice
 */
public record Difference(String file, String place, String key, String expected, String got) {
    @Override
    public String toString() {
        return file + " " + place + " " + key + ": expected " + expected + ", got " + got;
    }
}
