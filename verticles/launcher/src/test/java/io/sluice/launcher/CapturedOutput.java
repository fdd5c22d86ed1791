package io.sluice.launcher;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs commands in this JVM, and keeps what they print on the thread of the test. Other threads print as usual, so
 * tests run beside each other.
 */
public final class CapturedOutput implements BeforeEachCallback, AfterEachCallback {
    private static final ThreadLocal<CapturedOutput> CURRENT = new ThreadLocal<>();

    static {
        awaitVertxLogging();
        System.setOut(divided(System.out, output -> output.printed));
        System.setErr(divided(System.err, output -> output.reported));
    }

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final ByteArrayOutputStream reported = new ByteArrayOutputStream();

    /**
     * Vert.x replaces standard error while it looks for SLF4J, on whichever thread, and then puts the former one back.
     */
    private static void awaitVertxLogging() {
        try {
            Class.forName("io.vertx.core.internal.logging.LoggerFactory");
        } catch (ClassNotFoundException renamed) {
            throw new IllegalStateException(renamed);
        }
    }

    private static PrintStream divided(PrintStream usual, Function<CapturedOutput, OutputStream> captured) {
        var perThread = new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                target().write(one);
            }

            @Override
            public void write(byte[] some, int from, int count) throws IOException {
                target().write(some, from, count);
            }

            private OutputStream target() {
                var current = CURRENT.get();
                return current == null ? usual : captured.apply(current);
            }
        };
        return new PrintStream(perThread, true, StandardCharsets.UTF_8);
    }

    /** What this work prints, on this thread. */
    static String of(Runnable work) {
        var output = new CapturedOutput();
        CURRENT.set(output);
        try {
            work.run();
        } finally {
            CURRENT.remove();
        }
        return output.text();
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        CURRENT.set(this);
    }

    @Override
    public void afterEach(ExtensionContext test) {
        CURRENT.remove();
    }

    /** The exit status. */
    int run(String... arguments) {
        return Main.run(new ProcessLifetime(), arguments);
    }

    /** Standard output so far. */
    public String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    /** Standard error so far. */
    public String reported() {
        return reported.toString(StandardCharsets.UTF_8);
    }

    /** Standard output so far, and then standard error. */
    String text() {
        return printed() + reported();
    }
}
