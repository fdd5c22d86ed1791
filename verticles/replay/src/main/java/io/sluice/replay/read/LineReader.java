package io.sluice.replay.read;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** The lines of a text file, packed by gzip or not, with their numbers; a line has a bound. */
public final class LineReader implements AutoCloseable {
    /** How many characters a line has at most. */
    public static final int LINE_MAX = 1 << 20;

    private final Path file;
    private final BufferedReader reader;
    private long number;

    /** Opens the file. */
    public LineReader(Path file) throws IOException {
        this.file = file;
        InputStream bytes = new BufferedInputStream(Files.newInputStream(file));
        boolean packed = file.getFileName().toString().endsWith(".gz");
        reader = new BufferedReader(
                new InputStreamReader(packed ? new GZIPInputStream(bytes) : bytes, StandardCharsets.UTF_8));
    }

    /** The next line; null after the last. */
    public String next() throws IOException, MalformedTraceException {
        var line = new StringBuilder();
        number++;
        for (int read = reader.read(); read != '\n'; read = reader.read()) {
            if (read < 0) {
                return line.isEmpty() ? null : line.toString();
            }
            if (line.length() == LINE_MAX) {
                throw malformed("it is longer than " + LINE_MAX + " characters");
            }
            if (read != '\r') {
                line.append((char) read);
            }
        }
        return line.toString();
    }

    /** The error of the last line. */
    public MalformedTraceException malformed(String why) {
        return new MalformedTraceException(file, number, why);
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
