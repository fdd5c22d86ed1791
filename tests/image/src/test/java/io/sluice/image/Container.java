package io.sluice.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A process with an image as its file system, read-only except for an empty /tmp, with the image's user and variables;
 * it uses the network of this machine. Needs root.
 */
final class Container implements AutoCloseable {
    private static final Path IN_CHROOT =
            Path.of("src", "test", "resources", "in-chroot").toAbsolutePath();
    private static final Duration END_MAX = Duration.ofSeconds(120);

    private final Process process;
    private final Path output;

    private Container(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Whether containers are possible here; root without the right to mount cannot make them. */
    static boolean canBeMade() throws IOException {
        return new ProcessBuilder("unshare", "--mount", "true")
                        .start()
                        .onExit()
                        .join()
                        .exitValue()
                == 0;
    }

    /**
     * Starts what the image starts by default, with these arguments.
     *
     * @param etc folder that becomes its /etc/sluice
     */
    static Container start(Image image, Path etc, String... arguments) throws IOException {
        return run(
                image, etc, Stream.concat(Stream.of(Image.texts(image.started("Entrypoint"))), Stream.of(arguments)));
    }

    /** Starts another program of the image, as an operator does in a container. */
    static Container execute(Image image, Path etc, String... command) throws IOException {
        return run(image, etc, Stream.of(command));
    }

    private static Container run(Image image, Path etc, Stream<String> command) throws IOException {
        var root = image.root().toString();
        var user = "--userspec=" + image.started("User").textValue();
        var whole = Stream.of(
                        Stream.of("unshare", "--mount", "sh", IN_CHROOT.toString(), root, etc.toString()),
                        Stream.concat(Stream.of("env", "-i"), Stream.of(Image.texts(image.started("Env")))),
                        Stream.of("/usr/sbin/chroot", user, root),
                        command)
                .flatMap(part -> part)
                .toList();
        var output = Files.createTempFile(etc.getParent(), "output", ".log");
        var process = new ProcessBuilder(whole)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new Container(process, output);
    }

    String output() throws IOException {
        return Files.readString(output);
    }

    /** The exit status, once it has ended on its own. */
    int ended() throws IOException, InterruptedException {
        if (!process.waitFor(END_MAX.toSeconds(), TimeUnit.SECONDS)) {
            throw new IOException("still runs: " + output());
        }
        return process.exitValue();
    }

    /** The exit status after SIGTERM. */
    int terminated() throws IOException, InterruptedException {
        process.destroy();
        return ended();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
