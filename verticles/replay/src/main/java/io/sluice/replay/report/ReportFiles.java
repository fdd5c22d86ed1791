package io.sluice.replay.report;

import io.sluice.replay.ReplayResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes the reports of a replay; each file is whole or not there. */
public final class ReportFiles {
    private ReportFiles() {}

    /** Writes all of them to a folder, which is made if it is not there. */
    public static void write(ReplayResult result, Path folder) throws IOException {
        Files.createDirectories(folder);
        whole(folder.resolve("report.json"), ReportJson.text(result));
        whole(folder.resolve("report.html"), new ReportPage(result).text());
    }

    private static void whole(Path file, String text) throws IOException {
        var part = file.resolveSibling(file.getFileName() + ".part");
        Files.writeString(part, text);
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    }
}
