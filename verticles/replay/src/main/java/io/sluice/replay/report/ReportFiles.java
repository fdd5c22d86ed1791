package io.sluice.replay.report;

import io.sluice.replay.ReplayResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** Writes the reports of a replay; of JSON and HTML each file is whole or not there. */
public final class ReportFiles {
    private ReportFiles() {}

    /** Writes all of them to a folder, which is made if it is not there; returns what could not be, as a sentence. */
    public static Optional<String> write(ReplayResult result, Path folder) throws IOException {
        return write(result, folder, ReportImages::write);
    }

    /** Draws the charts of a replay into a folder. */
    interface Images {
        void write(ReplayResult result, Path folder) throws IOException;
    }

    static Optional<String> write(ReplayResult result, Path folder, Images images) throws IOException {
        Files.createDirectories(folder);
        whole(folder.resolve("report.json"), ReportJson.text(result));
        whole(folder.resolve("report.html"), new ReportPage(result).text());
        try {
            images.write(result, folder);
            return Optional.empty();
        } catch (LinkageError | InternalError none) {
            return Optional.of("no PNGs were written, as this Java lacks what draws them: " + none.getMessage());
        }
    }

    private static void whole(Path file, String text) throws IOException {
        var part = file.resolveSibling(file.getFileName() + ".part");
        Files.writeString(part, text);
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    }
}
