package io.sluice.cluster.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A command of this machine, run until it ends or a bound of time is over. */
public final class Command {
    private static final long SECONDS_MAX = 20;

    private Command() {}

    /** The result of a command. */
    public record Ended(int status, String output) {
        public boolean ok() {
            return status == 0;
        }
    }

    /**
     * Runs it.
     *
     * @throws IllegalStateException when it fails
     */
    public static String run(List<String> words) {
        var ended = tried(words);
        if (!ended.ok()) {
            throw new IllegalStateException(String.join(" ", words) + " failed: " + ended.output());
        }
        return ended.output();
    }

    static String run(String... words) {
        return run(List.of(words));
    }

    /** Runs it and returns its result even if it fails; a command that does not exist counts as failed. */
    public static Ended tried(List<String> words) {
        try {
            var process = new ProcessBuilder(words).redirectErrorStream(true).start();
            process.getOutputStream().close();
            var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return new Ended(-1, "no end within " + SECONDS_MAX + " s");
            }
            return new Ended(process.exitValue(), output);
        } catch (IOException missing) {
            return new Ended(-1, String.valueOf(missing.getMessage()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("interrupted", interrupted));
        }
    }
}
