package io.sluice.vectors;

/**
 * One result that is not the recorded one.
 *
 * @param file the recording
 * @param place where in it: history and command, or line
 * @param key which result
 * @param expected as recorded; {@code absent} where the key is not there
 * @param got what ours answered
 */
public record Difference(String file, String place, String key, String expected, String got) {
    @Override
    public String toString() {
        return file + " " + place + " " + key + ": expected " + expected + ", got " + got;
    }
}
