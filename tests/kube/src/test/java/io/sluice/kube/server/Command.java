package io.sluice.kube.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs programs until they end, within a time limit. */
public final class Command {
    private static final long SECONDS_MAX = 60;

    private Command() {}

    /** Returns the output; fails if the program fails. */
    public static String run(List<String> command) {
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            var reported = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IllegalStateException(command + " failed: " + reported);
            }
            return reported;
        } catch (IOException unable) {
            throw new UncheckedIOException(unable);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
