"""How mail programs quote: each takes what was sent and what its reader typed, and gives the body.

Written after the looks of such mails; no sentence of them is taken over but what the programs add.
"""

from __future__ import annotations

from tests.mail.inbound.letters import Part, alternative, html, marked, plain, quoted, several
from tests.mail.inbound.original import SERVICE, Original

AM = f"Am So., 29. Nov. 2026 um 14:00 Uhr schrieb Fernpartie\n<{SERVICE}>:"
ON = f"On Sun, Nov 29, 2026 at 2:00 PM Fernpartie <{SERVICE}> wrote:"
WORD = """<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta name=Generator
content="Microsoft Word 15"><style><!-- p.MsoNormal {margin:0cm} --></style></head>
<body lang=DE><div class=WordSection1>"""


def gmail(sent: Original, typed: str, attribution: str = AM) -> Part:
    div = "".join(f'<div dir="auto">{line}</div>' for line in typed.splitlines())
    attr = attribution.replace("<", "&lt;").replace(">", "&gt;")
    quote = (
        f'<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">'
        f'{attr}<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex">{sent.sheet}'
        "</blockquote></div>"
    )
    return alternative(
        plain(f"{typed}\n\n{attribution}\n\n{quoted(sent.text)}"),
        html(f'<div dir="ltr">{div}</div>{quote}'),
    )


def gmail_android(sent: Original, typed: str) -> Part:
    both = gmail(sent, typed)
    return Part(both.type, both.data.replace(b"\n\nAm So., 29.", b"\nAm So., 29."), "")


def gmail_marked(sent: Original, typed: str) -> Part:
    text = f'<div dir="ltr">{typed}</div><br><div class="gmail_quote">'
    return html(f"{text}<div>{AM}</div><blockquote>{sent.sheet}</blockquote></div>")


def word(sent: Original, typed: str) -> Part:
    """Outlook on a desk: what is quoted stands there as if its writer had typed it."""
    block = "".join(
        f"<b>{label}:</b> {value}<br>"
        for label, value in (
            ("Von", f"Fernpartie &lt;{SERVICE}&gt;"),
            ("Gesendet", "Sonntag, 29. November 2026 14:00"),
            ("An", "Björn"),
            ("Betreff", sent.subject),
        )
    )
    lines = "".join(f"<p class=MsoNormal>{line}<o:p></o:p></p>" for line in typed.splitlines())
    rule = "<div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'>"
    markup = f"{WORD}{lines}{rule}<p class=MsoNormal>{block}</p></div>{sent.sheet}</div></body>"
    return html(markup.encode("cp1252", "xmlcharrefreplace").decode("cp1252"), "windows-1252")


def word_plain(sent: Original, typed: str) -> Part:
    head = (
        f"-----Ursprüngliche Nachricht-----\nVon: Fernpartie <{SERVICE}> \nGesendet: Sonntag, 29. "
        f"November 2026 14:00\nAn: Björn\nBetreff: {sent.subject}\n"
    )
    return plain(f"{typed}\n\n{head}\n{sent.text}", "windows-1252")


def outlook_new(sent: Original, typed: str) -> Part:
    return html(
        f'<html><head><style type="text/css">P {{margin:0}}</style></head><body dir="ltr">'
        f'<div class="elementToProof">{typed}</div><div id="appendonsend"></div><hr>'
        f'<div id="divRplyFwdMsg" dir="ltr"><font><b>Von:</b> Fernpartie<br></font></div>'
        f"{sent.sheet}</body></html>"
    )


def outlook_table(sent: Original, typed: str) -> Part:
    """What was sent lies in a table right below, without anything that says so."""
    return html(f"<html><body><p>{typed}</p><table><tr><td>{sent.sheet}</td></tr></table></body>")


def safelinks(sent: Original, typed: str) -> Part:
    link = "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fgames.example.org%2F"
    return plain(f"{typed}\n\n{sent.text.replace('https://games.example.org/', link)}")


def apple(sent: Original, typed: str) -> Part:
    attribution = f"Am 29.11.2026 um 14:00 schrieb Fernpartie <{SERVICE}>:"
    return alternative(
        plain(f"{typed}\n\n> {attribution}\n> \n{quoted(sent.text)}", more=";\n\tformat=flowed"),
        html(
            f'<html><body>{typed}<br><div><blockquote type="cite"><div>{attribution}</div>'
            f"{sent.sheet}</blockquote></div></body></html>"
        ),
    )


def iphone(sent: Original, typed: str) -> Part:
    text = f"{typed}\n\nVon meinem iPhone gesendet\n\n"
    quote = quoted(f"Am 29.11.2026 um 14:00 schrieb Fernpartie <{SERVICE}>:\n\n\ufeff{sent.text}")
    return plain(text + quote)


def ipad_below(sent: Original, typed: str) -> Part:
    quote = quoted(f"Am 29.11.2026 um 14:00 schrieb Fernpartie <{SERVICE}>:\n\n{sent.text}")
    return plain(f"{quote}\n{typed}\n\nVon meinem iPad gesendet\n")


def thunderbird(sent: Original, typed: str) -> Part:
    """Flowed, the answer between two pieces of the quote."""
    first, _, rest = sent.text.partition("\n\n")
    text = f"Am 29.11.26 um 14:00 schrieb Fernpartie:\n{quoted(first)}\n{typed}\n\n{quoted(rest)}"
    return plain(text, more="; format=flowed")


def thunderbird_marked(sent: Original, typed: str) -> Part:
    return html(
        f'<html><body><p>{typed}</p><div class="moz-cite-prefix">Am 29.11.26 um 14:00 schrieb '
        f'Fernpartie:<br></div><blockquote type="cite" cite="mid:x@y">{sent.sheet}</blockquote>'
        '<div class="moz-signature">-- <br>f2-d2</div></body></html>'
    )


def mutt(sent: Original, typed: str) -> Part:
    attribution = "Am Sun, Nov 29, 2026 at 02:00:00PM +0000 schrieb Fernpartie:"
    return Part(
        "text/plain; charset=iso-8859-1",
        f"{typed}\n\n{attribution}\n{quoted(sent.text)}".encode("iso-8859-1", "replace"),
        "8bit",
        ("Content-Disposition: inline",),
    )


def mutt_below(sent: Original, typed: str) -> Part:
    quote = quoted(sent.text + "-- \nFernpartie\n")
    return plain(f"On Sun, Nov 29, 2026 at 02:00:00PM +0000, Fernpartie wrote:\n{quote}\n{typed}\n")


def mailx(sent: Original, typed: str) -> Part:
    quote = quoted(sent.text)
    return Part("", f"{typed}\n____________________\nFernpartie wrote:\n\n{quote}".encode(), "")


def k9(sent: Original, typed: str) -> Part:
    text = f"{typed}\n\nAm 29. November 2026 15:00:00 MEZ schrieb Fernpartie <{SERVICE}>:\n"
    text += quoted(sent.text, ">") + "\n-- \nf2-d2\n"
    needless = "".join(f"={ord(letter):02X}" for letter in "Fern")
    body = plain(text).lines().partition(b"\n\n")[2].replace(b"Fern", needless.encode())
    return Part(
        "text/plain; charset=utf-8", body, "", ("Content-Transfer-Encoding: quoted-printable",)
    )


def yahoo(sent: Original, typed: str) -> Part:
    attribution = (
        f"On Sunday, November 29, 2026 at 02:00:00 PM GMT+1, Fernpartie <{SERVICE}> wrote:"
    )
    return alternative(
        plain(f"{typed}\n\n    {attribution}  \n \n {sent.text}"),
        html(f'<div>{typed}</div><div class="yahoo_quoted">{attribution}<br>{sent.sheet}</div>'),
    )


def gmx(sent: Original, typed: str) -> Part:
    head = (
        "<b>Gesendet:</b> Sonntag, 29. November 2026 um 14:00 Uhr<br/><b>Von:</b> &quot;Fernpartie"
        f"&quot; &lt;{SERVICE}&gt;<br/><b>An:</b> Björn<br/><b>Betreff:</b> {sent.subject}"
    )
    return html(
        f'<div style="font-size:12px"><div>{typed}</div><div>{head}</div>{sent.sheet}</div>'
    )


def proton(sent: Original, typed: str) -> Part:
    head = (
        f"-------- Original Message --------\nOn 29/11/2026 14:00, Fernpartie <{SERVICE}> wrote:\n"
    )
    return alternative(
        plain(f"{typed}\n\n{head}\n{quoted(sent.text)}"),
        html(f'<div>{typed}</div><div class="protonmail_quote">{sent.sheet}</div>'),
    )


def samsung(sent: Original, typed: str) -> Part:
    head = (
        "-------- Ursprüngliche Nachricht --------\nVon: Fernpartie\nDatum: 29.11.26 14:00\n"
        f"An: Björn\nBetreff: {sent.subject}\n"
    )
    return plain(f"{typed}\n\nVon meinem Galaxy gesendet\n\n{head}\n{sent.text}", encoding="base64")


def exchange(sent: Original, typed: str) -> Part:
    head = f"From: Fernpartie [mailto:{SERVICE}]\nSent: 29 November 2026 14:00\nTo: Bjoern\n"
    return plain(f"{typed}\n\n________________________________\n{head}\n{sent.text}")


def bare(sent: Original, typed: str) -> Part:
    return plain(f"{typed}\n")


def pasted(sent: Original, typed: str) -> Part:
    return plain(f"{typed}\n\n{sent.text}")


def signed(sent: Original, typed: str) -> Part:
    seal = Part("application/pkcs7-signature; name=smime.p7s", b"\x30\x82", "base64")
    return several("signed", [gmail(sent, typed), seal], "; micalg=sha-256")


def marked_paste(sent: Original, typed: str) -> Part:
    return html(f"<body>{marked(typed.splitlines())}{sent.sheet}</body>")


TOP = (
    gmail, gmail_android, gmail_marked, word, word_plain, outlook_new, outlook_table, safelinks,
    apple, iphone, thunderbird_marked, mutt, mailx, k9, yahoo, gmx, proton, samsung, exchange, bare,
    pasted, signed, marked_paste,
)  # fmt: skip
"""What is typed stands first."""
BELOW = (ipad_below, thunderbird, mutt_below)
STYLES = (*TOP, *BELOW)
