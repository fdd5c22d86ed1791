package io.sluice.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/**
 * One recording of the JVM's Flight Recorder and the file it ends up in. Everything here blocks: for worker threads.
 */
final class FlightRecording {
    private static final long BYTES_MAX = 256L * 1024 * 1024;

    /** Secrets may be in the environment and on command lines, and a recording is handed on. */
    private static final List<String> LEFT_OUT = List.of(
            "jdk.InitialEnvironmentVariable", "jdk.InitialSystemProperty", "jdk.JVMInformation", "jdk.SystemProcess");

    private final Recording recording;
    private final Path file;

    private FlightRecording(Recording recording, Path file) {
        this.recording = recording;
        this.file = file;
    }

    /** Begins to record, with the settings that the JDK calls {@code profile}, less what may tell secrets. */
    static FlightRecording start() throws IOException, ParseException {
        var settings = Configuration.getConfiguration("profile");
        var file =
                Files.createTempFile("sluice-profile-" + ProcessHandle.current().pid() + "-", ".jfr");
        var recording = new Recording(settings);
        LEFT_OUT.forEach(recording::disable);
        recording.setName("sluice");
        recording.setToDisk(true);
        recording.setMaxSize(BYTES_MAX);
        recording.start();
        return new FlightRecording(recording, file);
    }

    /** Ends the recording and writes it out. */
    Path finish() throws IOException {
        recording.stop();
        recording.dump(file);
        return file;
    }

    /** Leaves nothing behind, whether it was finished or not. */
    Void discard() throws IOException {
        recording.close();
        Files.deleteIfExists(file);
        return null;
    }
}
