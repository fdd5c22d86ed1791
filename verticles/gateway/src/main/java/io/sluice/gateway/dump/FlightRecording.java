package io.sluice.gateway.dump;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/** One Flight Recorder recording of the JVM and its file. Everything here blocks: for worker threads. */
final class FlightRecording {
    private static final long BYTES_MAX = 256L * 1024 * 1024;

    /** Environment and command lines may contain secrets, and users pass recordings on. */
    private static final List<String> LEFT_OUT = List.of(
            "jdk.InitialEnvironmentVariable", "jdk.InitialSystemProperty", "jdk.JVMInformation", "jdk.SystemProcess");

    private final Recording recording;
    private final Path file;

    private FlightRecording(Recording recording, Path file) {
        this.recording = recording;
        this.file = file;
    }

    /** Starts to record, with the JDK's settings {@code profile} without the events that may contain secrets. */
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

    /** Ends the recording and writes the file. */
    Path finish() throws IOException {
        recording.stop();
        recording.dump(file);
        return file;
    }

    /** Removes recording and file, whether it was finished or not. */
    Void discard() throws IOException {
        recording.close();
        Files.deleteIfExists(file);
        return null;
    }
}
