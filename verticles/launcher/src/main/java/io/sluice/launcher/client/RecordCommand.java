package io.sluice.launcher.client;

import io.sluice.replay.recording.RecordingWriter;
import io.sluice.shell.config.ByteSizes;
import io.sluice.shell.config.ConfigException;
import io.sluice.shell.config.Durations;
import io.sluice.units.Resources;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Records what a running fleet does, over the tap of its console listener, for {@code sluice replay}. */
@Command(
        name = "record",
        description = "Records samples, sizes and decisions of the VMs of a running process, and of all others joined"
                + " with it, until Ctrl-C: for sluice replay --trace DIR.",
        mixinStandardHelpOptions = true)
public final class RecordCommand implements Callable<Integer> {
    private static final long FILE_BYTES_MIN = 64 << 10;
    private static final long NODES_EVERY_SECONDS = 60;
    private static final Duration FOR_MAX = Duration.ofDays(90);

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "recording",
            description = "the folder for the files; by default recording")
    private Path out;

    @Option(names = "--vm", paramLabel = "NAME", description = "only this VM; * stands for anything")
    private Optional<String> vm;

    @Option(names = "--for", paramLabel = "TIME", description = "end after this time, such as 10m; by default never")
    private Optional<String> time;

    @Option(
            names = "--file-size",
            paramLabel = "SIZE",
            defaultValue = "16MiB",
            description = "a file of this size is followed by the next; by default 16MiB")
    private String fileSize;

    @Option(
            names = "--keep",
            paramLabel = "SIZE",
            defaultValue = "1GiB",
            description = "the oldest files are deleted, so that all together have at most this size; by default 1GiB")
    private String keep;

    @Mixin
    private ConsoleOptions console;

    @Override
    public Integer call() throws InterruptedException {
        var length = time.map(RecordCommand::length);
        try (var writer = new RecordingWriter(out, bytes("--file-size", fileSize), kept(), InstantSource.system())) {
            var ending = new Thread(() -> close(writer), "sluice-record-end");
            Runtime.getRuntime().addShutdownHook(ending);
            record(writer, length);
            Runtime.getRuntime().removeShutdownHook(ending);
            System.out.println(writer.steps() + " steps were recorded in " + out);
            return 0;
        } catch (IOException full) {
            throw new ConsoleException("the recording in " + out + " cannot be written: " + full.getMessage(), full);
        }
    }

    private static void close(RecordingWriter writer) {
        try {
            writer.close();
        } catch (IOException full) {
            System.err.println("sluice: the end of the recording could not be written: " + full.getMessage());
        }
    }

    /** Until the end the nodes are written when they are known first, and when they have changed. */
    private void nodes(RecordingWriter writer, CompletableFuture<Void> ended) {
        Map<String, Resources> known = Map.of();
        boolean reported = false;
        while (!ended.isDone()) {
            var now = totals();
            try {
                if (!now.isEmpty() && !now.equals(known)) {
                    int written = writer.nodes(now);
                    known = now;
                    if (written < now.size() && !reported) {
                        System.err.println("sluice: only the first " + written + " of " + now.size()
                                + " nodes are in the recording, as a replay takes no more");
                        reported = true;
                    }
                }
                ended.get(known.isEmpty() ? 1 : NODES_EVERY_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException again) {
                // The nodes are read again.
            } catch (IOException full) {
                ended.completeExceptionally(full);
            } catch (ExecutionException | InterruptedException over) {
                return;
            }
        }
    }

    /** None while the console does not reply, which the feed reports. */
    private Map<String, Resources> totals() {
        var totals = new TreeMap<String, Resources>();
        try {
            for (var node : console.client().json("api/fleet").path("nodes").values()) {
                var total = node.path("total").values();
                if (total.size() == 2
                        && total.getFirst().number() > 0
                        && total.getLast().number() > 0) {
                    totals.put(
                            node.path("name").text(),
                            new Resources(
                                    total.getFirst().number(), total.getLast().number()));
                }
            }
        } catch (ConsoleException none) {
            return Map.of();
        }
        return totals;
    }

    /** The feed is read by a thread of its own, as it may be silent for long. */
    private void record(RecordingWriter writer, Optional<Duration> length) throws InterruptedException, IOException {
        var feed = new StepFeed(console, vm, writer);
        var ended = new CompletableFuture<Void>();
        Thread.ofPlatform().daemon().name("sluice-record").start(() -> {
            try {
                feed.follow();
                ended.complete(null);
            } catch (IOException | RuntimeException failed) {
                ended.completeExceptionally(failed);
            }
        });
        Thread.ofVirtual().name("sluice-record-nodes").start(() -> nodes(writer, ended));
        try {
            ended.orTimeout(length.orElse(FOR_MAX).toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException end) {
            switch (end.getCause()) {
                case TimeoutException over -> {}
                case IOException full -> throw full;
                case RuntimeException failed -> throw failed;
                default -> throw end;
            }
        } finally {
            feed.stop();
        }
    }

    private long kept() {
        long file = bytes("--file-size", fileSize);
        long total = bytes("--keep", keep);
        if (file < FILE_BYTES_MIN || total < 2 * file) {
            throw new ConfigException(
                    List.of("--file-size must be at least 64KiB, and --keep at least twice as much as --file-size."));
        }
        return total;
    }

    private static long bytes(String option, String text) {
        return ByteSizes.parse(text)
                .orElseThrow(() -> new ConfigException(List.of(option + "=" + text + " is no size such as 16MiB.")));
    }

    private static Duration length(String text) {
        return Durations.parse(text)
                .filter(length -> length.isPositive() && length.compareTo(FOR_MAX) <= 0)
                .orElseThrow(() -> new ConfigException(
                        List.of("--for=" + text + " must be a time such as 10m, at most 90 days.")));
    }
}
