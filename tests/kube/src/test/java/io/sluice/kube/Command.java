package io.sluice.kube;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs that are run to their end, within a bound. */
final class Command {
    private static final long SECONDS_MAX = 60;

    private Command() {}

    /** Answers what it prints; fails where it fails. */
    static String run(List<String> command) {
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IllegalStateException(command + " failed: " + said);
            }
            return said;
        } catch (IOException unable) {
            throw new UncheckedIOException(unable);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
