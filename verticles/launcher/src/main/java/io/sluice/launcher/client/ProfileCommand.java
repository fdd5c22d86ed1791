package io.sluice.launcher.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes a running process record itself, and downloads the recording. */
@Command(
        name = "profile",
        description = "Makes a running process record itself with JDK Flight Recorder, and downloads the recording.",
        mixinStandardHelpOptions = true)
public final class ProfileCommand implements Callable<Integer> {
    private static final Duration BEYOND = Duration.ofSeconds(30);

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "30",
            description = "how long it records, 1 to 300; by default ${DEFAULT-VALUE}")
    private int seconds;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            defaultValue = "sluice.jfr",
            description = "the file of the recording; by default ${DEFAULT-VALUE}")
    private Path file;

    @Mixin
    private ConsoleOptions console;

    @Override
    public Integer call() {
        demandFolder();
        var client = console.client(Duration.ofSeconds(seconds).plus(BEYOND));
        try (var recording = client.post("api/profile?seconds=" + seconds)) {
            Files.copy(recording, file, StandardCopyOption.REPLACE_EXISTING);
            System.out.println(
                    file + " holds " + Files.size(file) + " bytes; open it with JDK Mission Control or jfr.");
            return 0;
        } catch (IOException failed) {
            throw new ConsoleException(
                    "the recording could not be written to " + file + ": " + ConsoleClient.message(failed), failed);
        }
    }

    /** Fails before the recording, which may take minutes, when its folder does not exist. */
    private void demandFolder() {
        var folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(file)) {
            throw new ConsoleException("--out " + file + " must be a file in a folder that exists");
        }
    }
}
