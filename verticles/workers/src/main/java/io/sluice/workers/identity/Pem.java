package io.sluice.workers.identity;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;

/** Keys and certificates in the form PEM, and in files that only this user may read. */
final class Pem {
    private Pem() {}

    static String text(X509Certificate certificate) {
        return encoded(certificate);
    }

    static String text(PrivateKey key) {
        try {
            return encoded(new JcaPKCS8Generator(key, null));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    static String text(PublicKey key) {
        return encoded(key);
    }

    static PublicKey publicKey(String text) throws IOException {
        try (var parser = new PEMParser(new StringReader(text))) {
            if (parser.readObject() instanceof SubjectPublicKeyInfo info) {
                return new JcaPEMKeyConverter().getPublicKey(info);
            }
            throw new IOException("there is no public key in the form PEM");
        }
    }

    private static String encoded(Object object) {
        var text = new StringWriter();
        try (var writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    /** The first certificate of a text. */
    static X509Certificate certificate(String text) throws IOException {
        try (var parser = new PEMParser(new StringReader(text))) {
            if (parser.readObject() instanceof X509CertificateHolder holder) {
                return new JcaX509CertificateConverter().getCertificate(holder);
            }
            throw new IOException("there is no certificate in the form PEM");
        } catch (CertificateException unreadable) {
            throw new IOException("the certificate cannot be read", unreadable);
        }
    }

    static PrivateKey key(String text) throws IOException {
        try (var parser = new PEMParser(new StringReader(text))) {
            if (parser.readObject() instanceof PrivateKeyInfo info) {
                return new JcaPEMKeyConverter().getPrivateKey(info);
            }
            throw new IOException("there is no private key in the form PEM");
        }
    }

    /** Replaces the file at once, so that no reader finds a part of it. */
    static void write(Path file, String text) throws IOException {
        var next = file.resolveSibling(file.getFileName() + ".next");
        Files.deleteIfExists(next);
        Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(next, text);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
