package io.sluice.sinks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A program that replaces an object store, run as a process on a port of this machine. */
final class StandIn {
    private static final String PROPERTY = "sinks.stand-ins";
    private static final Pattern LISTENING = Pattern.compile("listen(?:s|ing) on .*:(\\d+)$");
    private static final int START_SECONDS_MAX = 60;

    private final String program;
    private final String portOption;
    private final List<String> options;
    private Process process;
    private int port;

    private StandIn(String program, String portOption, List<String> options) {
        this.program = program;
        this.portOption = portOption;
        this.options = options;
    }

    /** Whether the build has put the programs where these tests look. */
    static boolean areThere() {
        var where = System.getProperty(PROPERTY, "");
        return !where.isEmpty() && Files.isDirectory(Path.of(where));
    }

    /** Returns an S3 store with that bucket, which checks signatures of its only user. */
    static StandIn s3rver(Path data, String bucket) {
        return new StandIn(
                "s3rver",
                "-p",
                List.of("-a", "127.0.0.1", "-d", data.toString(), "--no-vhost-buckets", "--configure-bucket", bucket));
    }

    /** Returns an Azure Blob store without a container, which logs all requests to a file. */
    static StandIn azurite(Path data, Path log) {
        // It does not support the newest version of the API yet; nothing new is used here.
        return new StandIn(
                "azurite-blob",
                "--blobPort",
                List.of(
                        "-l",
                        data.toString(),
                        "--debug",
                        log.toString(),
                        "--silent",
                        "--skipApiVersionCheck",
                        "--disableProductStyleUrl"));
    }

    /** Starts it, on its earlier port if it had one, and returns when it listens. */
    StandIn start() throws Exception {
        var path = Path.of(System.getProperty(PROPERTY), "node_modules", ".bin", program);
        var command = new ArrayList<>(List.of("node", path.toString(), portOption, String.valueOf(port)));
        command.addAll(options);
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var listening = new CompletableFuture<Integer>();
        Thread.ofVirtual().start(() -> read(process, listening));
        port = listening.get(START_SECONDS_MAX, TimeUnit.SECONDS);
        return this;
    }

    /** The URL of its listener. */
    String url() {
        return "http://127.0.0.1:" + port;
    }

    /** Ends it at once; its data is still there when it starts again. */
    void stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }

    /** Reads the output to its end, because a process with a full pipe blocks. */
    private static void read(Process process, CompletableFuture<Integer> listening) {
        var reported = new StringBuilder();
        try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                var matcher = LISTENING.matcher(line);
                if (matcher.find()) {
                    listening.complete(Integer.valueOf(matcher.group(1)));
                } else if (!listening.isDone()) {
                    reported.append(line).append('\n');
                }
            }
            listening.completeExceptionally(new IOException("the stand-in ended: " + reported));
        } catch (IOException broken) {
            listening.completeExceptionally(new UncheckedIOException(broken));
        }
    }
}
