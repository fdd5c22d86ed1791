package io.sluice.launcher;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Runs commands in this JVM, and keeps what they print, both to standard output and to standard error. */
final class CapturedOutput implements BeforeEachCallback, AfterEachCallback {
    private final PrintStream outBefore = System.out;
    private final PrintStream errBefore = System.err;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Override
    public void beforeEach(ExtensionContext test) {
        var out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        System.setOut(out);
        System.setErr(out);
    }

    @Override
    public void afterEach(ExtensionContext test) {
        System.setOut(outBefore);
        System.setErr(errBefore);
    }

    /** The exit status. */
    int run(String... arguments) {
        return Main.run(new ProcessLifetime(), arguments);
    }

    /** What was printed so far. */
    String text() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
