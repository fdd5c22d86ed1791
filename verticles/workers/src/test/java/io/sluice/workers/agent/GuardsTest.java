package io.sluice.workers.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: guards keep to their clock. Method: real guards, with a clock that stands still and jumps. */
class GuardsTest {
    private static final long WITHIN_SECONDS = 60;
    private static final Startable SLEEP =
            (directory, instance) -> new Startable.Prepared(List.of("/bin/sleep", "1000"), Map.of(), "");

    @TempDir
    private Path directory;

    private Guards guards;
    private Guards.Guard exclusive;
    private Guards.Guard other;

    @BeforeEach
    void start() throws IOException {
        uptime("1000.00");
        guards = Guards.in(directory.resolve("guards"), Duration.ZERO, directory.resolve("uptime"));
        guards.extend(Duration.ofSeconds(1_045));
        exclusive = guards.start("a", 1, true, SLEEP, List.of());
        other = guards.start("b", 1, false, SLEEP, List.of());
    }

    @AfterEach
    void stop() {
        exclusive.process().destroyForcibly();
        other.process().destroy();
    }

    /** Guards read it at any moment. */
    private void uptime(String seconds) throws IOException {
        var next = Files.writeString(directory.resolve("next"), seconds + " 0.00\n");
        Files.move(
                next, directory.resolve("uptime"), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void anExclusiveInstanceEndsWhenTheMachineWasSuspendedBeyondItsFence() throws Exception {
        assertThat(exclusive.process().isAlive()).isTrue();
        // As after a minute of sleep: no guard ran meanwhile, and the clock of the machine went on.
        uptime("1060.00");
        exclusive.exit().get(WITHIN_SECONDS, TimeUnit.SECONDS);
        assertThat(other.process().isAlive()).isTrue();
    }

    @Test
    void itRunsOnAfterASleepThatEndsBeforeItsFence() throws Exception {
        uptime("1044.00");
        // A guard that was started later, and whose fence is over, ends in the meantime.
        guards.extend(Duration.ofSeconds(1_045));
        var late = Guards.in(directory.resolve("late"), Duration.ZERO, directory.resolve("uptime"));
        late.extend(Duration.ofSeconds(1_043));
        late.start("c", 1, true, SLEEP, List.of()).exit().get(WITHIN_SECONDS, TimeUnit.SECONDS);
        assertThat(exclusive.process().isAlive()).isTrue();
    }
}
